use supremum::{DType, DynTensor, Error};

fn main() -> Result<(), Error> {
    let sizes: Vec<usize> = vec![2, 3];
    let d: DynTensor = DynTensor::full(DType::F32, [2], 0.5)?;
    Ok(())
}
