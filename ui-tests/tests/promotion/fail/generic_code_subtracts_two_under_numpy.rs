//! The functions of NumPy promote by `NumpyUfunc`.
use supremum::{Numpy, Rank1, StaticDType, Tensor};

fn change<A: StaticDType, B: StaticDType>(a: &Tensor<A, Rank1, Numpy>, b: &Tensor<B, Rank1, Numpy>) {
    let change = a - b;
}

fn main() {}
