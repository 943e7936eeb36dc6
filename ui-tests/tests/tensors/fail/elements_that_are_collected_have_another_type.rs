//! `f64` numbers in a tensor of `F32`.
use supremum::{F32, Rank1, Tensor};

fn main() {
    let angles: Tensor<F32, Rank1> = [0.5_f64, 1.5].into_iter().map(|x| x * 2.0).collect();
}
