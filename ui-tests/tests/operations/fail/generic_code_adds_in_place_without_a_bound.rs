//! The same of `+=`, where rustc would say E0368.
use supremum::{Rank1, Tensor};

fn accumulate<D>(total: &mut Tensor<D, Rank1>, x: &Tensor<D, Rank1>) {
    *total += x;
}

fn main() {}
