use supremum::{Rank, Rules, SafeCommon, StaticDType, Tensor, promote};

fn sum<A: StaticDType, B: StaticDType, N: Rank, R: Rules>(a: &Tensor<A, N, R>, b: &Tensor<B, N, R>)
where
    (A, B): SafeCommon<R>,
{
    let (a, b) = promote((a, b));
}

fn main() {}
