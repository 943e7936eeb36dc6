use supremum::{F32, Rank2, Rank3, Tensor, stack};

fn main() -> Result<(), supremum::Error> {
    let z: Tensor<F32, Rank2> = Tensor::zeros([2, 3]);
    let b: Tensor<F32, Rank3> = stack([&z, &z], 0);
    Ok(())
}
