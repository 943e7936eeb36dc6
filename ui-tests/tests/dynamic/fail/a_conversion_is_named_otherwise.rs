//! candle's name of `cast`.
use supremum::{DType, DynTensor, Error};

fn main() -> Result<(), Error> {
    let x = DynTensor::ones(DType::F32, [2])?;
    let y = x.to_dtype(DType::F16);
    Ok(())
}
