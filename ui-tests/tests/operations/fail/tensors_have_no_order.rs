//! `<` gives a `bool`, and tensors compare by element.
use supremum::{F32, Tensor, tensor};

fn main() {
    let a: Tensor<F32> = tensor![1.0, 2.0];
    let b: Tensor<F32> = tensor![2.0, 1.0];
    let less = a < b;
}
