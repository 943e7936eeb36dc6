//! The code of `dispatch!` runs for each dtype, and its parameter names one.
use supremum::prelude::*;

fn main() -> Result<(), Error> {
    let loaded = DynTensor::from(&Tensor::<F32, Rank1>::ones([3]));
    let length = dispatch!(loaded, |t: Tensor<F32, Rank1>| t.len())?;
    Ok(())
}
