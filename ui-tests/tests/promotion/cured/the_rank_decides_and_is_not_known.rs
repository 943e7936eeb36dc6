use supremum::{F16, F64, Rank1, Rank2, Tensor, Torch, tensor};

fn main() -> Result<(), supremum::Error> {
    let images: Tensor<F16, Rank1, Torch> = tensor![1.0, 2.0];
    let scale: Tensor<F64> = tensor![[0.5]];
    let scaled = images * scale.with_rules::<Torch>().rank::<Rank2>()?;
    Ok(())
}
