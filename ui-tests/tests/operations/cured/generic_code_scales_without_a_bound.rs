use supremum::{Floating, Rank1, Tensor};

fn half<D: Floating>(x: &Tensor<D, Rank1>) -> Tensor<D, Rank1> {
    x * 0.5
}

fn main() {}
