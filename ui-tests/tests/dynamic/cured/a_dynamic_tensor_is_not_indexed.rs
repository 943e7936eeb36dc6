use supremum::{DType, DynTensor, Error, F32, Jax, Rank2};

fn main() -> Result<(), Error> {
    let scores = DynTensor::zeros(DType::F32, [2, 3])?;
    let first = scores.typed::<F32, Rank2, Jax>()?[[0, 1]];
    Ok(())
}
