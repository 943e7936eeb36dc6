//! A shape is an array, of which one size may be left out.
use supremum::{F32, Rank2, Tensor, tensor};

fn main() {
    let a: Tensor<F32, Rank2> = tensor![[1.0, 2.0], [3.0, 4.0]];
    let b = a.reshape(-1);
}
