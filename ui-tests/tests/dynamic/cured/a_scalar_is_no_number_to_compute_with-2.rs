use supremum::{DType, DynTensor, Error};

fn main() -> Result<(), Error> {
    let d = DynTensor::ones(DType::F32, [2, 2])?;
    let half: f64 = (d.max() / 2.0).item()?.as_f64().unwrap();
    let twice = 2.0 * d.max().item()?.as_f64().unwrap();
    Ok(())
}
