use supremum::{Floating, Rank1, Tensor, fuse};

fn half<D: Floating + supremum::FitsLiteral<supremum::literal!(0.5)>>(
    x: &Tensor<D, Rank1>,
) -> Tensor<D, Rank1> {
    fuse!(0.5 * x)
}

fn main() {}
