use supremum::{DType, DynTensor, Error, F32};

fn main() -> Result<(), Error> {
    let d = DynTensor::ones(DType::F32, [3])?;
    for x in d.to_vec::<F32>()? {
        println!("{x}");
    }
    Ok(())
}
