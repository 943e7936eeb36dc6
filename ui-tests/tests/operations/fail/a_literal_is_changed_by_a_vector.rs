//! Only a tensor of rank 0 has one element, and no float has every `I64`.
use supremum::prelude::*;

fn main() {
    let x: Tensor<F32, Rank1> = tensor![1.0, 2.0];
    let counts: Tensor<I64, Rank1> = tensor![1, 2];
    let mut total = 0.0;
    total += &x * &x;
    let mut steps = 0.0;
    steps += counts.sum();
    let mut n = 0;
    n += x.sum();
}
