//! The shape comes first.
use supremum::{DynTensor, Error};

fn main() -> Result<(), Error> {
    let a = DynTensor::from_fn(|[i, j]| (i + j) as f32);
    let a = DynTensor::try_from_fn(|[i, j]| (i + j) as f32)?;
    Ok(())
}
