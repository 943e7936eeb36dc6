//! The bound of the right dtype is missing: the right side is an operand, if its dtype is one.
use supremum::{Floating, Tensor};

fn above<A: Floating, B>(x: &Tensor<A>, limit: &Tensor<B>) {
    let difference = x - limit;
    let mask = x.gt(limit);
}

fn main() {}
