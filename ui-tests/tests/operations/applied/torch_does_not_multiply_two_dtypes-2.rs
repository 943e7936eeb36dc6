use supremum::{Common, Floating, Rank2, SafeCommon, Tensor, Torch, promote};

fn product<A, B>(
    a: &Tensor<A, Rank2, Torch>,
    b: &Tensor<B, Rank2, Torch>,
) -> Tensor<Common<(A, B), Torch>, Rank2, Torch>
where
    (A, B): SafeCommon<Torch, Output: Floating<Torch, Rank2>>,
{
    let (a, b) = promote((a, b));
    a.matmul(&b)
}

fn main() {}
