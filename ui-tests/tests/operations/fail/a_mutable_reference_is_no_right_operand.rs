//! The same on the right of a tensor.
use supremum::{F32, Rank1, Tensor};

fn error(x: &mut Tensor<F32, Rank1>, g: &Tensor<F32, Rank1>) -> Tensor<F32, Rank1> {
    g - x
}

fn main() {}
