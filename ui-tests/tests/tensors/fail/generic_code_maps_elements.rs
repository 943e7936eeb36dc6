//! The type of elements in place of the dtype.
use std::ops::Mul;
use supremum::{Rank1, Tensor};

fn squares<T: Copy + Mul<Output = T>>(x: &Tensor<T, Rank1>) -> Tensor<T, Rank1> {
    x.map(|v| v * v)
}

fn main() {}
