use supremum::{DType, DynTensor, Error};

fn main() -> Result<(), Error> {
    let scores = DynTensor::zeros(DType::F32, [2, 3])?;
    let first = scores.index_axis(0, 1);
    Ok(())
}
