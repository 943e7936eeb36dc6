//! `collect` of a tensor, which is not an iterator. rustc would propose `.into_iter()` in front of it.
use supremum::{F32, Rank1, Tensor, tensor};

fn main() {
    let x: Tensor<F32, Rank1> = tensor![1.0, 2.0];
    let doubled: Vec<f32> = x.map(|e| e * 2.0).collect();
}
