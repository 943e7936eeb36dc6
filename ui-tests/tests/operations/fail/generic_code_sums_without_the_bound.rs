//! A sum of any numbers. That of small integers has another dtype.
use supremum::{Arithmetic, Rank1, Tensor};

fn total<D: Arithmetic>(x: &Tensor<D, Rank1>) -> D::Element {
    x.sum().item().unwrap()
}

fn main() {}
