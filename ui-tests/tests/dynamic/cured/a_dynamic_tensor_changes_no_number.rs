use supremum::prelude::*;

fn main() -> Result<(), Error> {
    let x: DynTensor = Tensor::<F32, Rank1>::ones([2]).into_dyn();
    let mut total = 0.0;
    total += x.sum().cast(DType::F64).typed::<F64, Rank0, Jax>()?;
    Ok(())
}
