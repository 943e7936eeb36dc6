//! An `f32` for an element of any dtype.
use supremum::{Floating, Rank1, Tensor};

fn filled<D: Floating>(x: f32) -> Tensor<D, Rank1> {
    Tensor::full([3], x)
}

fn main() {}
