//! An order by element, of a dtype that may be complex.
#![allow(unused_imports)]
use supremum::{Arithmetic, Floating, Tensor, select};

fn relu<D: Arithmetic>(x: &Tensor<D>) -> Tensor<D> {
    select(&x.gt(0), x, 0)
}

fn main() {}
