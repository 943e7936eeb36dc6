use supremum::rank::Broadcast;
use supremum::{Floating, Rank, Rank1, Rules, Tensor};

fn scaled<D: Floating<R, N>, N: Rank + Broadcast<Rank1, Output = N>, R: Rules>(x: &Tensor<D, N, R>, gamma: &Tensor<D, Rank1, R>) -> Tensor<D, N, R> {
    x * gamma
}

fn main() {}
