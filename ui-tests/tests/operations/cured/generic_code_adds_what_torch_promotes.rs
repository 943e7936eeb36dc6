use supremum::{Arithmetic, Rank1, SafeCommon, SafePromote, Tensor, Torch, promote};

fn add<A, B>(a: &Tensor<A, Rank1, Torch>, b: &Tensor<B, Rank1, Torch>)
where
    (A, B): SafeCommon<Torch, Output: Arithmetic<Torch, Rank1>>,
{
    let (a, b) = promote((a, b));
    let sum = a + b;
}

fn main() {}
