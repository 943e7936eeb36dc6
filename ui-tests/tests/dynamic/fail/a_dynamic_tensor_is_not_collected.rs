//! Elements have no shape.
use supremum::DynTensor;

fn main() -> supremum::Result<()> {
    let elements = vec![1.0_f32, 2.0];
    let pair = DynTensor::from_iter(elements);
    Ok(())
}
