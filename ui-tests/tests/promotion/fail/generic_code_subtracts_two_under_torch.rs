//! `-` of PyTorch promotes by rules of its own.
use supremum::{Rank1, StaticDType, Tensor, Torch};

fn change<A: StaticDType, B: StaticDType>(a: &Tensor<A, Rank1, Torch>, b: &Tensor<B, Rank1, Torch>) {
    let change = a - b;
}

fn main() {}
