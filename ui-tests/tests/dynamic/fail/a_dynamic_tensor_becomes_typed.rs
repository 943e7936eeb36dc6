//! rustc would propose `cast`.
use supremum::{DynTensor, Error, F32, Rank1, Tensor};

fn main() -> Result<(), Error> {
    let d: DynTensor = Tensor::<F32, Rank1>::ones([2]).into_dyn();
    let t = d.downcast::<F32>()?;
    Ok(())
}
