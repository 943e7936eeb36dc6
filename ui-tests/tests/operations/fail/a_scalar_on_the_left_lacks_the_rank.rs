//! A tensor of rank 0 on the left: the result has the rank of the right side.
use supremum::{F32, Rank, Rank0, Tensor};

fn scaled<N: Rank>(x: &Tensor<F32, N>, scale: &Tensor<F32, Rank0>) -> Tensor<F32, N> {
    scale * x
}

fn main() {}
