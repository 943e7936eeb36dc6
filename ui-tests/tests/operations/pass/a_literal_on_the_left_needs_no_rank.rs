// A literal has rank 0, so the result has the rank of the tensor. Code over a rank states no bound for it.
use supremum::{F32, Floating, Jax, Rank, Rank1, Tensor, tensor};

fn complement<N: Rank>(x: &Tensor<F32, N>) -> Tensor<F32, N> {
    1 - x
}

fn sigmoid<D: Floating, N: Rank>(x: &Tensor<D, N, Jax>) -> Tensor<D, N, Jax> {
    1.0 / ((-x).exp() + 1.0)
}

fn main() {
    let x: Tensor<F32, Rank1> = tensor![0.0, 1.0];
    assert_eq!(complement(&x).to_vec(), [1.0, 0.0]);
    assert_eq!(sigmoid(&x).to_vec()[0], 0.5);
}
