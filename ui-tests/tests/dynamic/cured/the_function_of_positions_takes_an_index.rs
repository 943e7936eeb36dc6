use supremum::{DynTensor, Error};

fn main() -> Result<(), Error> {
    let a = DynTensor::from_fn([2, 3], |[i, j]| (i + j) as f32);
    let a = DynTensor::try_from_fn([2, 3], |[i, j]| (i + j) as f32)?;
    Ok(())
}
