//! The dtype of an item of a `DynTensor` is known at run time only.
use supremum::{DType, DynTensor, Error};

fn main() -> Result<(), Error> {
    let d = DynTensor::ones(DType::F32, [2, 2])?;
    let half: f64 = d.max().item()? / 2.0;
    let twice = 2.0 * d.max().item()?;
    Ok(())
}
