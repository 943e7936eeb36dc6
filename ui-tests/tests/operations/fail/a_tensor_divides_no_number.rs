//! Rust divides integers otherwise than tensors are divided, and has another remainder.
use supremum::{F32, I64, Rank1, Tensor};

fn main() {
    let t = Tensor::<F32, Rank1>::ones([2]).sum();
    let mut total = 1.0;
    total %= t;
    let t = Tensor::<I64, Rank1>::ones([2]).sum();
    let mut n = 1;
    n /= t;
}
