//! A type parameter for the rank without its bound.
use supremum::{F32, Tensor, fuse};

fn scaled<N>(x: &Tensor<F32, N>) -> Tensor<F32, N> {
    fuse!(x * 2.0 + 1.0)
}

fn main() {}
