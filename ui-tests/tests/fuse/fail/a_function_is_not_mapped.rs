//! A closure given to `map`, as ndarray's `mapv` takes it.
use supremum::{F32, Rank1, Tensor, fuse, tensor};

fn main() {
    let x: Tensor<F32, Rank1> = tensor![1.0, -2.0];
    let y = fuse!(x.map(|v| if v > 0.0 { v } else { 0.1 * v }));
}
