//! The same of two dtypes.
use supremum::{Rank1, SafePromote, Tensor, Torch};

fn add<A: SafePromote<B>, B>(a: &Tensor<A, Rank1, Torch>, b: &Tensor<B, Rank1, Torch>) {
    let sum = a + b;
}

fn main() {}
