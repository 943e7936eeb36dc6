supremum::prelude!();

#[derive(LoadTensors)]
struct Linear {
    #[tensor("fc.weight")]
    weights: Tensor<F32, Rank2>,
}

fn main() {
    let layer = Linear { weights: Tensor::ones([2, 2]) };
}
