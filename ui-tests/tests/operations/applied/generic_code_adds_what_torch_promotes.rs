use supremum::{Arithmetic, Common, Rank, Rules, SafeCommon, Tensor, promote};

fn add<A, B, N: Rank, R: Rules>(a: &Tensor<A, N, R>, b: &Tensor<B, N, R>) -> Tensor<Common<(A, B), R>, N, R>
where
    (A, B): SafeCommon<R, Output: Arithmetic<R, N>>,
{
    let (a, b) = promote((a, b));
    a + b
}

fn main() {}
