//! `AllowUnsafe` has rules as its parameter.
use supremum::{AllowUnsafe, F32, I64, Rank1, Tensor, tensor};

fn main() {
    let counts: Tensor<I64, Rank1, AllowUnsafe> = tensor![1, 2];
    let scales: Tensor<F32, Rank1, AllowUnsafe> = tensor![0.5, 0.25];
    let _ = counts * scales;
}
