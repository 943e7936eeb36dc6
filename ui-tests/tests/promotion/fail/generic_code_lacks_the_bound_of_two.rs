//! Two dtypes that are parameters promote only by a bound.
use supremum::{StaticDType, Tensor};

fn total<A: StaticDType, B: StaticDType>(a: &Tensor<A>, b: &Tensor<B>) {
    let total = a + b;
}

fn main() {}
