//! `/` of integers gives floats, which the left side cannot store.
use supremum::{I32, Tensor, tensor};

fn main() {
    let mut a: Tensor<I32> = tensor![4, 5];
    let b: Tensor<I32> = tensor![2, 2];
    a /= &b;
}
