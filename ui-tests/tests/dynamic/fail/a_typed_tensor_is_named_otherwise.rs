//! A dynamic tensor becomes a typed one by `typed`.
use supremum::{DynTensor, Error, F32, Jax, Rank2, Tensor};

fn main() -> Result<(), Error> {
    let t: DynTensor = Tensor::<F32, Rank2>::zeros([2, 3]).into();
    let weights: Tensor<F32, Rank2, Jax> = t.to_typed()?;
    Ok(())
}
