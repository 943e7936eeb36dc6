use supremum::{Bool, DType, DynTensor, Error, F32};

fn main() -> Result<(), Error> {
    let d = DynTensor::ones(DType::F32, [2])?;
    let e = DynTensor::zeros(DType::F32, [2])?;
    assert_eq!(d.gt(&e).to_vec::<Bool>()?, [true, true]);
    assert_eq!(d.lt(1).to_vec::<Bool>()?, [false, false]);
    assert_eq!(d.to_vec::<F32>()?, [1.0, 1.0]);
    Ok(())
}
