//! The literal could be an `f32` too, but that type has no impl for a tensor of any dtype, so the bound of `f64` is reported.
use supremum::{Floating, Jax, Rank, Tensor};

fn sigmoid<D: Floating, N: Rank>(x: &Tensor<D, N, Jax>) -> Tensor<D, N, Jax> {
    1.0 / ((-x).exp() + 1.0)
}

fn main() {}
