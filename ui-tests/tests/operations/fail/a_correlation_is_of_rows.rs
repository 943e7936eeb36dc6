//! `corrcoef` of two vectors, which are the rows of one matrix.
#![allow(unused_imports)]
use supremum::{F64, Rank1, Tensor, stack, tensor};

fn main() {
    let x: Tensor<F64, Rank1> = tensor![1.0, 2.0, 3.0];
    let y: Tensor<F64, Rank1> = tensor![2.0, 4.0, 7.0];
    let correlation = x.corrcoef(&y);
}
