use supremum::{Arithmetic, Rank1, SafePromote, Tensor, Torch};

fn add<A, B>(a: &Tensor<A, Rank1, Torch>, b: &Tensor<B, Rank1, Torch>)
where
    A: SafePromote<B, Torch, Output: Arithmetic<Torch, Rank1>>,
{
    let sum = a + b;
}

fn main() {}
