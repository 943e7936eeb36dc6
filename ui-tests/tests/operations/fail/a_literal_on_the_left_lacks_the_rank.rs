use supremum::{F32, Rank, Tensor};

fn complement<N: Rank>(x: &Tensor<F32, N>) -> Tensor<F32, N> {
    1 - x
}

fn main() {}
