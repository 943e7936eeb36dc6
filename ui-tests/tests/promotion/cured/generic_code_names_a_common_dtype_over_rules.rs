use supremum::{Common, Rank1, Rules, SafeCommon, StaticDType, Tensor};

fn first<A: StaticDType, B: StaticDType, R: Rules>(sums: &[Tensor<Common<(A, B), R>, Rank1, R>])
where
    (A, B): SafeCommon<R>,
{
}

fn main() {}
