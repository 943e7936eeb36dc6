//! `Floating` alone is the bound of the default rules.
use supremum::{Floating, Numpy, Rank1, Tensor};

fn growth<D: Floating>(a: &Tensor<D, Rank1, Numpy>) {
    let growth = a.exp();
}

fn main() {}
