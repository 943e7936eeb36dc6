//! The result of a promotion need not have the operation.
use supremum::{Rank1, SafePromote, Tensor, Torch};

fn add<A: SafePromote<B, Torch>, B>(a: &Tensor<A, Rank1, Torch>, b: &Tensor<B, Rank1, Torch>) {
    let sum = a + b;
}

fn main() {}
