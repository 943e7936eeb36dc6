//! `/` of integers gives floats, which the left side cannot store.
use supremum::{I32, Rank1, Tensor, tensor};

fn main() {
    let mut a: Tensor<I32, Rank1> = tensor![4, 5];
    let b: Tensor<I32, Rank1> = tensor![2, 2];
    a /= &b;
    let mut part = a.slice_mut(0, 1..);
    part /= 2;
}
