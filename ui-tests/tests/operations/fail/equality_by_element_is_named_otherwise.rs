//! PyTorch's `eq` for `equal`. Here Rust's `eq` would compare whole tensors.
use supremum::{Bool, I64, Rank1, Tensor, tensor};

fn main() {
    let a: Tensor<I64, Rank1> = tensor![1, 2];
    let b: Tensor<I64, Rank1> = tensor![1, 3];
    let hits: Tensor<Bool, Rank1> = a.eq(&b);
}
