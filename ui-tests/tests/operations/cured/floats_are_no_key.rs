use supremum::{F32, Rank1, Tensor};

#[derive(Clone, Debug, PartialEq)]
struct Key {
    weights: Tensor<F32, Rank1>,
}

fn main() {}
