//! Over any rules, `promote` needs a bound too.
use supremum::{Rank, Rules, StaticDType, Tensor, promote};

fn sum<A: StaticDType, B: StaticDType, N: Rank, R: Rules>(a: &Tensor<A, N, R>, b: &Tensor<B, N, R>) {
    let (a, b) = promote((a, b));
}

fn main() {}
