use supremum::{Rank1, Tensor};

#[derive(Clone, Debug, PartialEq, Eq)]
struct Key<D: supremum::EqDType> {
    weights: Tensor<D, Rank1>,
}

fn main() {}
