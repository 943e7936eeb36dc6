use supremum::{DType, DynTensor, Error};

fn main() -> Result<(), Error> {
    let d = DynTensor::ones(DType::F32, [2, 2])?;
    if d.max().item()?.as_f64() > Some(0.5) {
        println!("large");
    }
    Ok(())
}
