use supremum::{DType, DynTensor};

fn main() -> supremum::Result<()> {
    let elements = vec![1.0_f32, 2.0];
    let pair = DynTensor::full(DType::F32, [2], 0.5)?;
    Ok(())
}
