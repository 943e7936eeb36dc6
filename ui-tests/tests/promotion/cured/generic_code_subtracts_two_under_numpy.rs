use supremum::{Floating, Numpy, Rank1, SafeCommon, StaticDType, Tensor, promote};

fn change<A: StaticDType, B: StaticDType>(a: &Tensor<A, Rank1, Numpy>, b: &Tensor<B, Rank1, Numpy>)
where
    (A, B): SafeCommon<Numpy, Output: Floating<Numpy>>,
{
    let (a, b) = promote((a, b));
    let change = a - b;
}

fn main() {}
