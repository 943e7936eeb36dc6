//! `is_close` broadcasts, so two ranks need a bound.
use supremum::{Bool, F32, Rank, Tensor};

fn same<N: Rank, M: Rank>(x: &Tensor<F32, N>, y: &Tensor<F32, M>) -> Tensor<Bool, N> {
    x.is_close(y, 1e-5, 1e-8)
}

fn main() {}
