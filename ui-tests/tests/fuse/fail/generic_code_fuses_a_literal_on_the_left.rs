//! In an expression a literal on the left is an operand of rank 0.
use supremum::{F32, Rank, Tensor, fuse};

fn complement<N: Rank>(x: &Tensor<F32, N>) -> Tensor<F32, N> {
    fuse!(1.0 - x)
}

fn main() {}
