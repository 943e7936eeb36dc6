//! A tensor of any rank beside a vector: the rank of the result needs a bound.
use supremum::{Floating, Rank, Rank1, Rules, Tensor};

fn scaled<D: Floating<R, N>, N: Rank, R: Rules>(x: &Tensor<D, N, R>, gamma: &Tensor<D, Rank1, R>) -> Tensor<D, N, R> {
    x * gamma
}

fn main() {}
