//! NaN equals nothing, so that floats have no `Eq`.
use supremum::{F32, Rank1, Tensor};

#[derive(Clone, Debug, PartialEq, Eq)]
struct Key {
    weights: Tensor<F32, Rank1>,
}

fn main() {}
