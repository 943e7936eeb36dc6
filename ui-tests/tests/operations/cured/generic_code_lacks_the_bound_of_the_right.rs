use supremum::{Floating, SafePromote, Tensor};

fn above<A: SafePromote<B, Output: Floating>, B>(x: &Tensor<A>, limit: &Tensor<B>) {
    let difference = x - limit;
    let mask = x.gt(limit);
}

fn main() {}
