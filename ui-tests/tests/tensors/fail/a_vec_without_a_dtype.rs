//! An `f32` is the element of `F32`, but nothing states the dtype of the tensor.
use supremum::Tensor;

fn main() {
    let elements: Vec<f32> = vec![1.0, 2.0];
    let a = Tensor::from(elements);
}
