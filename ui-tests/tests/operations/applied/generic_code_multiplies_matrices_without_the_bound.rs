use supremum::{Common, Floating, Rank2, SafeCommon, StaticDType, Tensor, promote};

fn product<A: StaticDType, B: StaticDType>(
    a: &Tensor<A, Rank2>,
    b: &Tensor<B, Rank2>,
) -> Tensor<Common<(A, B)>, Rank2>
where
    (A, B): SafeCommon<Output: Floating>,
{
    let (a, b) = promote((a, b));
    a.matmul(&b)
}

fn main() {}
