//! The note has the bound of a product, so that one step leads there.
use supremum::{Rank2, StaticDType, Tensor};

fn product<A: StaticDType, B: StaticDType>(a: &Tensor<A, Rank2>, b: &Tensor<B, Rank2>) -> Tensor<A, Rank2> {
    a.matmul(b)
}

fn main() {}
