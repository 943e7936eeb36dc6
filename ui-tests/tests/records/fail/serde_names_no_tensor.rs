//! The name of serde's attribute.
supremum::prelude!();

#[derive(LoadTensors)]
struct Linear {
    #[serde(rename = "fc.weight")]
    weights: Tensor<F32, Rank2>,
}

fn main() {
    let layer = Linear { weights: Tensor::ones([2, 2]) };
}
