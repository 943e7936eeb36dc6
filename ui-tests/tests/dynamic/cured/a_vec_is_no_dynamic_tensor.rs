supremum::prelude!();

fn main() -> Result<(), Error> {
    let elements: Vec<f32> = vec![1.0, 2.0];
    let tensor = DynTensor::from_vec(elements, [2])?;
    Ok(())
}
