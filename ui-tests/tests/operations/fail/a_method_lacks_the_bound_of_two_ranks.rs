//! A method of two tensors, whose ranks are parameters.
use supremum::{F32, Rank, Tensor};

fn rectified<N: Rank, M: Rank>(x: &Tensor<F32, N>, floor: &Tensor<F32, M>) -> Tensor<F32, N> {
    x.maximum(floor)
}

fn main() {}
