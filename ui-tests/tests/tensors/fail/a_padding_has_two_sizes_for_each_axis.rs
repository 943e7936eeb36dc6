//! PyTorch's padding begins with the last axis and leaves the first ones out.
use supremum::{F32, Rank2, Tensor, tensor};

fn main() {
    let x: Tensor<F32, Rank2> = tensor![[1.0, 2.0], [3.0, 4.0]];
    let padded = x.pad([1, 2], 0.0);
}
