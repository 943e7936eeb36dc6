use supremum::{DType, DynTensor, Error};

fn main() -> Result<(), Error> {
    let another = DynTensor::zeros(DType::F32, [3])?;
    let a = DynTensor::zeros(DType::F32, another.shape())?;
    Ok(())
}
