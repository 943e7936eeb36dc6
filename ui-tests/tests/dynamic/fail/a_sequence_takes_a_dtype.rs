//! The dtype is the first argument.
use supremum::{DType, DynTensor, Error};

fn main() -> Result<(), Error> {
    let a = DynTensor::arange(DType::I64, 10)?;
    let a = DynTensor::try_arange(0, 10, 1)?;
    let a = DynTensor::linspace(0.0, 1.0, 5);
    let a = DynTensor::try_linspace(DType::F32, 0.0, 1.0)?;
    let a = DynTensor::logspace(0.0, 3.0, 4);
    let a = DynTensor::try_logspace(DType::F32, 0.0, 3.0)?;
    let a = DynTensor::eye(3)?;
    let a = DynTensor::try_eye(DType::F32, 3, 3)?;
    Ok(())
}
