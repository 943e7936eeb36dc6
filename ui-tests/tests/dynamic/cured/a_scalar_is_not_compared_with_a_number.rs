use supremum::{DType, DynTensor, Error, F32};

fn main() -> Result<(), Error> {
    let d = DynTensor::ones(DType::F32, [2, 2])?;
    if d.cast(DType::F32).max().to_vec::<F32>()?[0] > 0.5 {
        println!("large");
    }
    Ok(())
}
