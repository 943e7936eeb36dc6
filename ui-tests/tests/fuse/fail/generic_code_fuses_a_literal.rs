use supremum::{Floating, Rank1, Tensor, fuse};

fn half<D: Floating>(x: &Tensor<D, Rank1>) -> Tensor<D, Rank1> {
    fuse!(0.5 * x)
}

fn main() {}
