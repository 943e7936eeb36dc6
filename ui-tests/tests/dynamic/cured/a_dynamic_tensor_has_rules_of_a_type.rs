use supremum::prelude::*;

fn main() -> Result<(), Error> {
    let d: DynTensor = Tensor::<F32, Rank1>::ones([2]).into_dyn();
    let t = d.typed::<F32, Rank1, Jax>()?;
    Ok(())
}
