//! Random elements are read at random positions.
use supremum::{F32, I64, Rank1, Tensor, tensor};

fn main() {
    let a: Tensor<F32, Rank1> = tensor![1.0, 2.0];
    let positions: Tensor<I64, Rank1> = tensor![1, 1, 0];
    let chosen: Tensor<F32, Rank1> = a.choose(&positions);
}
