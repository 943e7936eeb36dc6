//! The result's dtype is a parameter of these methods, so a missing bound is no missing method (E0599).
use supremum::{Rank1, Rank2, StaticDType, Tensor};

fn joined<D: StaticDType>(a: &Tensor<D>, b: &Tensor<D>) -> Tensor<D> {
    a.concat(b, 0)
}

fn table<D: StaticDType>(a: &Tensor<D, Rank1>, b: &Tensor<D, Rank1>) -> Tensor<D, Rank2> {
    a.outer(b)
}

fn projection<D: StaticDType>(a: &Tensor<D, Rank1>, b: &Tensor<D, Rank1>) -> D::Element {
    a.dot(b).item().unwrap()
}

fn main() {}
