use supremum::{DType, DynTensor, Error};

fn main() -> Result<(), Error> {
    let elements = vec![0.0_f32; 6];
    let n = 2;
    let a = DynTensor::zeros(DType::F32, [2, 3])?;
    let a = DynTensor::try_zeros(DType::F32, [2, 3])?;
    let a = DynTensor::ones(DType::F32, [2, 3])?;
    let a = DynTensor::try_ones(DType::F32, [2, 3])?;
    let a = DynTensor::full(DType::F32, [2, 3], 0.5)?;
    let a = DynTensor::try_full(DType::F32, [2, 3], 0.5)?;
    let a = DynTensor::from_slice(&elements, [n, 3])?;
    let a = DynTensor::try_from_slice(&elements, [n, 3])?;
    let a = DynTensor::try_from_vec(elements.clone(), [n, 3])?;
    let a = DynTensor::from_vec(elements, [n, 3])?;
    let a = DynTensor::scalar(DType::F32, 0.5)?;
    let a = DynTensor::try_scalar(DType::F32, 0.5)?;
    Ok(())
}
