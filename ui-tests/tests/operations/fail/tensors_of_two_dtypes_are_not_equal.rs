//! `==` converts nothing.
use supremum::{F32, F64, Tensor, tensor};

fn main() {
    let a: Tensor<F32> = tensor![1.0];
    let b: Tensor<F64> = tensor![1.0];
    assert!(a == b);
}
