//! The position of the greatest element, in generic code.
use supremum::{Floating, I64, Rank0, Rank1, Tensor};

fn best<D: Floating>(scores: &Tensor<D, Rank1>) -> Tensor<I64, Rank0> {
    scores.argmax()
}

fn main() {}
