//! Two dtypes over any rules first become one.
use supremum::{Rank, Rules, StaticDType, Tensor};

fn add<A: StaticDType, B: StaticDType, N: Rank, R: Rules>(a: &Tensor<A, N, R>, b: &Tensor<B, N, R>) {
    let sum = a + b;
}

fn main() {}
