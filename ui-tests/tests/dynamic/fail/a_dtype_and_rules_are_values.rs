//! Type arguments, as a typed tensor has them; rustc keeps them beside a value.
use supremum::prelude::*;

fn main() -> Result<(), Error> {
    let d: DynTensor = Tensor::<F32, Rank1>::ones([2]).into_dyn();
    let n = d.with_rules::<Numpy>();
    let w = d.widen::<F64>()?;
    let c = d.try_cast::<F16>()?;
    Ok(())
}
