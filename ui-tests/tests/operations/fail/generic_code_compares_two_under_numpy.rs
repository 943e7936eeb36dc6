//! The same of two dtypes.
use supremum::{Numpy, Rank1, StaticDType, Tensor};

fn smaller<A: StaticDType, B: StaticDType>(a: &Tensor<A, Rank1, Numpy>, b: &Tensor<B, Rank1, Numpy>) {
    let smaller = a.lt(b);
}

fn main() {}
