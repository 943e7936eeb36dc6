use supremum::{Floating, Rank1, Tensor};

fn squares<D: Floating>(x: &Tensor<D, Rank1>) -> Tensor<D, Rank1> {
    x * x
}

fn main() {}
