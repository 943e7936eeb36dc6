//! `==` compares whole tensors.
use supremum::{F32, Tensor, tensor};

fn main() {
    let a: Tensor<F32> = tensor![1.0, 2.0];
    let ones = a == 1.0;
}
