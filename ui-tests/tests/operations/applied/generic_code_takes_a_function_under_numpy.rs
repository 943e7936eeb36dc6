use supremum::{AnyRank, Floating, Rank1, Rules, SafeCommon, Tensor, Torch, promote};

fn growth<A, B>(a: &Tensor<A, Rank1, Torch>, b: &Tensor<B, Rank1, Torch>)
where
    (A, B): SafeCommon<Torch, Output: Floating<Torch, Rank1>>,
{
    let (a, b) = promote((a, b));
    let growth = (a + b).exp();
}

fn growth_of_any_rank<A, B, R: Rules>(a: &Tensor<A, AnyRank, R>, b: &Tensor<B, AnyRank, R>)
where
    (A, B): SafeCommon<R, Output: Floating<R, AnyRank>>,
{
    let (a, b) = promote((a, b));
    let growth = (a + b).exp();
}

fn main() {}
