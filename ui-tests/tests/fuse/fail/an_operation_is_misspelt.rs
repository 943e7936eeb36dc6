//! The names of operations are those of the methods of tensors.
use supremum::{F32, Rank1, Tensor, fuse, tensor};

fn main() {
    let x: Tensor<F32, Rank1> = tensor![1.0, 2.0];
    let y = fuse!(x.logg() + 1.0);
}
