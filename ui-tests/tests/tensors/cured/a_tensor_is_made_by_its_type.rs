use supremum::{F32, Rank2, Tensor, concat};

fn main() -> Result<(), supremum::Error> {
    let z: Tensor<F32, Rank2> = Tensor::<F32, Rank2>::zeros([2, 3]);
    let b: Tensor<F32, Rank2> = concat([&z, &z], 0);
    Ok(())
}
