//! The dtype is the first argument, and the shape is one argument.
use supremum::{DType, DynTensor, Error};

fn main() -> Result<(), Error> {
    let elements = vec![0.0_f32; 6];
    let n = 2;
    let a = DynTensor::zeros(DType::F32, 2, 3)?;
    let a = DynTensor::try_zeros(DType::F32, (2, 3))?;
    let a = DynTensor::ones([2, 3])?;
    let a = DynTensor::try_ones([2, 3])?;
    let a = DynTensor::full([2, 3], 0.5)?;
    let a = DynTensor::try_full(DType::F32, 2, 3, 0.5)?;
    let a = DynTensor::from_slice(&elements)?;
    let a = DynTensor::try_from_slice(&elements)?;
    let a = DynTensor::try_from_vec(elements.clone(), n, 3)?;
    let a = DynTensor::from_vec(elements, n, 3)?;
    let a = DynTensor::scalar(0.5)?;
    let a = DynTensor::try_scalar(0.5)?;
    Ok(())
}
