//! In an expression, too, a dtype without bounds has no operators.
use supremum::{Rank1, Tensor, fuse};

fn square<D>(x: &Tensor<D, Rank1>) -> Tensor<D, Rank1> {
    fuse!(x * x)
}

fn main() {}
