use supremum::{Floating, Jax, Rank, Rank1, Tensor};

fn normal<D: Floating>(a: &Tensor<D, Rank1>, b: &Tensor<D, Rank1>) -> Tensor<D, Rank1> {
    a.cross(b, 0)
}

fn blocks<D: Floating<Jax, N>, N: Rank>(a: &Tensor<D, N>, b: &Tensor<D, N>) -> Tensor<D, N> {
    a.kron(b)
}

fn main() {}
