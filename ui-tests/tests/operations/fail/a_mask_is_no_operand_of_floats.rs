//! A mask keeps elements by a choice.
use supremum::prelude::*;

fn main() {
    let a: Tensor<F32, Rank1> = tensor![0.1, 0.9];
    let mask = a.gt(0.5);
    let kept = &a & &mask;
}
