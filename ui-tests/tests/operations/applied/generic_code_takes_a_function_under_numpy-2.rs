use supremum::{Floating, Rank1, SafePromote, Tensor, Torch};

fn growth<A, B>(a: &Tensor<A, Rank1, Torch>, b: &Tensor<B, Rank1, Torch>)
where
    A: SafePromote<B, Torch, Output: Floating<Torch, Rank1>>,
{
    let growth = (a + b).exp();
}

fn main() {}
