//! A number in a variable is not a literal, also beside a tensor of another kind.
use supremum::{BF16, I32, Rank1, Rank5, Tensor, U64};

fn rest(bytes: &Tensor<I32, Rank5>, x: &Tensor<BF16>, counts: &Tensor<U64, Rank1>, whole: f32, n: usize) {
    let _ = whole - bytes;
    let _ = n * x;
    let _ = n - counts;
}

fn main() {}
