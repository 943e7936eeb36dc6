//! A vector beside a tensor of any rank and literals, in one expression.
use supremum::{F32, Rank, Rank1, Tensor, fuse};

fn scaled<N: Rank>(x: &Tensor<F32, N>, gamma: &Tensor<F32, Rank1>) -> Tensor<F32, N> {
    fuse!(if gamma < x { x.maximum(0.0) * gamma } else { 1.0 - x })
}

fn main() {}
