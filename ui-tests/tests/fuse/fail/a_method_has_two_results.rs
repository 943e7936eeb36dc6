//! A method with two results, in `fuse!`.
use supremum::{F32, Rank1, Tensor, fuse, tensor};

fn main() {
    let scores: Tensor<F32, Rank1> = tensor![0.1, 0.9, 0.4, 0.7];
    let best = fuse!(scores.top_k(3, 0) * 100.0);
}
