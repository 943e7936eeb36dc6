//! The second parameter is the rank, also of tensors that a function gets.
use supremum::{F32, Numpy, Tensor};

fn add(a: &Tensor<F32, Numpy>, b: &Tensor<F32, Numpy>) {
    let sum = a + b;
}

fn main() {}
