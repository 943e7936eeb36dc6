//! All elements of `full` are one number.
use supremum::{DType, DynTensor};

fn main() {
    let elements = vec![0.5_f32, 1.5];
    let weights = DynTensor::full(DType::F32, [2], elements);
}
