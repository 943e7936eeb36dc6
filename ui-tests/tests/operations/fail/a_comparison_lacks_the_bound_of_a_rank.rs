//! A comparison of two tensors of one rank, which is a parameter.
use supremum::{Bool, F32, Rank, Tensor};

fn is_less<N: Rank>(x: &Tensor<F32, N>, y: &Tensor<F32, N>) -> Tensor<Bool, N> {
    x.lt(y)
}

fn main() {}
