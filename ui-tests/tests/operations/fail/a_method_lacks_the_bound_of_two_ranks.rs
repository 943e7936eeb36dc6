//! Methods of tensors whose ranks are parameters, and of literals, which need the first of the two bounds.
use supremum::{F32, Rank, Tensor};

fn limited<N: Rank, M: Rank>(x: &Tensor<F32, N>, limit: &Tensor<F32, M>) -> Tensor<F32, N> {
    x.maximum(limit).maximum(0.0)
}

fn main() {}
