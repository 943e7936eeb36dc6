//! Python's operator of matrix products.
use supremum::{F32, Rank2, Tensor, fuse, tensor};

fn main() {
    let x: Tensor<F32, Rank2> = tensor![[1.0, 2.0]];
    let w: Tensor<F32, Rank2> = tensor![[1.0], [2.0]];
    let y = fuse!(x @ w + 1.0);
}
