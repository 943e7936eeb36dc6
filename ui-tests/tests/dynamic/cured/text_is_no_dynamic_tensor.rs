// A dynamic tensor is made from a typed one.
use supremum::{DynTensor, F32, tensor};

fn main() {
    let a = tensor![F32; 1.0, 2.0].into_dyn();
}
