//! NumPy compares a dtype with its name.
use supremum::{DynTensor, F32, tensor};

fn main() {
    let t: DynTensor = tensor![F32; 1.0, 2.0].into_dyn();
    assert!(t.dtype() == "f32");
}
