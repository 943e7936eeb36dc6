use supremum::{DynTensor, Error};

fn main() -> Result<(), Error> {
    let sizes: Vec<usize> = vec![2, 3];
    let elements = vec![1.0_f32, 2.0];
    let d: DynTensor = DynTensor::from_vec(elements, [2, 1])?;
    Ok(())
}
