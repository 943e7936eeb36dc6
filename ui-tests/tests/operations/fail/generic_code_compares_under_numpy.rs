//! The message names the rules of the tensors, and those by which comparisons promote.
use supremum::{Numpy, Rank1, StaticDType, Tensor};

fn negative<D: StaticDType>(a: &Tensor<D, Rank1, Numpy>) {
    let negative = a.lt(0.0);
}

fn main() {}
