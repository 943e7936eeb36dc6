//! The same of one dtype.
use supremum::{Arithmetic, Rank1, Tensor, Torch};

fn change<D: Arithmetic<Torch>>(before: &Tensor<D, Rank1, Torch>, after: &Tensor<D, Rank1, Torch>) {
    let change = after - before;
}

fn main() {}
