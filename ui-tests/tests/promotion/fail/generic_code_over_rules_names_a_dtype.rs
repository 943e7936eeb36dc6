//! Code over rules, of one dtype.
use supremum::{F32, Floating, Rank1, Rules, Tensor};

fn halves<R: Rules>(a: &Tensor<F32, Rank1, R>) -> Tensor<F32, Rank1, R> {
    a * 0.5
}

fn main() {}
