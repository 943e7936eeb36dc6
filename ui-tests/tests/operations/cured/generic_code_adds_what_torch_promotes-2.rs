use supremum::{Arithmetic, Rank1, SafePromote, Tensor, Torch};

fn add<A: SafePromote<B, Torch, Output: Arithmetic<Torch>>, B>(
    a: &Tensor<A, Rank1, Torch>,
    b: &Tensor<B, Rank1, Torch>,
) {
    let sum = a + b;
}

fn main() {}
