//! A step of a moving average.
use supremum::{F32, Rank1, Tensor};

fn step(m: &mut Tensor<F32, Rank1>, g: &Tensor<F32, Rank1>) {
    *m = 0.9 * m + 0.1 * g;
}

fn main() {}
