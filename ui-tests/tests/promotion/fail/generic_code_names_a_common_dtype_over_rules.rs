//! A signature names a common dtype that not all rules have.
use supremum::{Common, Rank1, Rules, StaticDType, Tensor};

fn first<A: StaticDType, B: StaticDType, R: Rules>(sums: &[Tensor<Common<(A, B), R>, Rank1, R>]) {}

fn main() {}
