use supremum::{Floating, Jax, Rank, Tensor};

fn rms<D: Floating<Jax, N>, N: Rank>(x: &Tensor<D, N, Jax>) -> Tensor<D, N, Jax> {
    x * (x.pow(2).mean_keepdims(-1) + 1e-6).rsqrt()
}

fn main() {}
