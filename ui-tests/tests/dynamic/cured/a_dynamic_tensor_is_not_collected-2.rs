use supremum::{DynTensor, F32, tensor};

fn main() -> supremum::Result<()> {
    let elements = vec![1.0_f32, 2.0];
    let pair = tensor![F32; 1.0, 2.0].into_dyn();
    Ok(())
}
