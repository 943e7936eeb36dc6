use supremum::{F32, Rank2, Tensor, concat, tensor};

fn main() -> Result<(), supremum::Error> {
    let z: Tensor<F32, Rank2> = tensor![[1.0, 2.0], [3.0, 4.0]];
    let b: Tensor<F32, Rank2> = concat([&z, &z], 0);
    Ok(())
}
