use supremum::{DType, DynTensor, Error, F32};

fn main() -> Result<(), Error> {
    let scores = DynTensor::zeros(DType::F32, [2, 3])?;
    let all = scores.to_vec::<F32>()?;
    Ok(())
}
