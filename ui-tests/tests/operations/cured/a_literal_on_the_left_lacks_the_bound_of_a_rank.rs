use supremum::{Floating, Jax, Rank, Tensor};

fn sigmoid<D: Floating<Jax, N>, N: Rank>(x: &Tensor<D, N, Jax>) -> Tensor<D, N, Jax> {
    1.0 / ((-x).exp() + 1.0)
}

fn main() {}
