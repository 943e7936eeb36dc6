use supremum::{DType, DynTensor, Error};

fn main() -> Result<(), Error> {
    let scores = DynTensor::zeros(DType::F32, [4, 3])?;
    let first = scores.slice(0, 1..3);
    Ok(())
}
