use supremum::{Floating, Rank1, SafeCommon, StaticDType, Tensor, Torch, promote};

fn change<A: StaticDType, B: StaticDType>(a: &Tensor<A, Rank1, Torch>, b: &Tensor<B, Rank1, Torch>)
where
    (A, B): SafeCommon<Torch, Output: Floating<Torch, Rank1>>,
{
    let (a, b) = promote((a, b));
    let change = a - b;
}

fn main() {}
