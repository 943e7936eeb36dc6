use supremum::{AnyRank, Floating, Rules, SafeCommon, Tensor, Torch, promote};

fn add<A, B, R: Rules>(a: &Tensor<A, AnyRank, R>, b: &Tensor<B, AnyRank, R>)
where
    (A, B): SafeCommon<R, Output: Floating<R, AnyRank>>,
{
    let (a, b) = promote((a, b));
    let sum = a + b;
}

fn main() {}
