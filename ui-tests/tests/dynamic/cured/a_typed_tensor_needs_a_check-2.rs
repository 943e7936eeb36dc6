use supremum::{DynTensor, Error, F32, Jax, Rank1, Rank2, Tensor};

fn main() -> Result<(), Error> {
    let t: DynTensor = Tensor::<F32, Rank2>::zeros([3, 3]).into_dyn();
    let typed: Tensor<F32, Rank2> = t.typed::<F32, Rank2, Jax>()?;
    Ok(())
}
