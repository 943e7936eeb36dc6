// A size that a file or a configuration holds as an `i64`.
use supremum::{DType, DynTensor, Error};

fn main() -> Result<(), Error> {
    let n: i64 = 3;
    let a = DynTensor::zeros(DType::F32, [n as usize])?;
    Ok(())
}
