//! A `try_` form in an expression, whose macro has one.

use supremum::{F32, I64, Rank2, Tensor, fuse, promote_unsafe, tensor};

fn main() {
    let counts: Tensor<I64, Rank2> = tensor![[1, 2], [3, 4]];
    let weights: Tensor<F32, Rank2> = tensor![[0.5, 0.25], [0.125, 0.0]];
    let product = promote_unsafe!(counts.try_matmul(&weights));
    let sum = fuse!(weights.try_add(weights));
}
