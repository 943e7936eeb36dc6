//! A vector on the left: the result has the rank of the right side.
use supremum::{F32, Rank, Rank1, Tensor};

fn scaled<N: Rank>(x: &Tensor<F32, N>, gamma: &Tensor<F32, Rank1>) -> Tensor<F32, N> {
    gamma * x
}

fn main() {}
