//! A float literal needs a float.
use supremum::{Rank1, Tensor};

fn half<D>(x: &Tensor<D, Rank1>) -> Tensor<D, Rank1> {
    x * 0.5
}

fn main() {}
