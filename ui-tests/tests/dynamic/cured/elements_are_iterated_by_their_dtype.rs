use supremum::{DType, DynTensor, Error, F32};

fn main() -> Result<(), Error> {
    let d = DynTensor::ones(DType::F32, [2])?;
    for x in d.iter::<F32>()? {
        println!("{x}");
    }
    Ok(())
}
