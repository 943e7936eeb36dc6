//! The function returns no `Result`, so that a proposal with `?` would fail.
use supremum::{F32, Rank2, Tensor, fuse, tensor};

fn main() {
    let a: Tensor<F32, Rank2> = tensor![[1, 2, 3], [4, 5, 6]];
    let scale = vec![0.5_f32, 1.0, 2.0];
    let scaled = fuse!(a * scale);
}
