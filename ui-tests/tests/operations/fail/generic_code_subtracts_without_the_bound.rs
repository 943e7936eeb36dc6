//! Booleans promote too, but do not subtract: a bound says that the result does.
use supremum::{SafePromote, Tensor};

fn difference<A: SafePromote<B>, B>(a: &Tensor<A>, b: &Tensor<B>) {
    let difference = a - b;
}

fn main() {}
