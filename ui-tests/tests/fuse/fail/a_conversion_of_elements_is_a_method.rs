//! `as` on a tensor in an expression, where it converts numbers.
use supremum::{I32, Rank1, Tensor, fuse, tensor};

fn main() {
    let counts: Tensor<I32, Rank1> = tensor![1, 2];
    let halves = fuse!(counts as f32 / 2.0);
    let mean = fuse!(counts.sum() as f32 / counts.len() as f32);
}
