//! The count of elements that meet a condition is an I64.
use supremum::prelude::*;

fn main() {
    let mask: Tensor<Bool, Rank1> = tensor![true, false];
    let mut right = 0_usize;
    right += mask.sum();
}
