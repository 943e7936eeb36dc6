use supremum::{Floating, SafePromote, Tensor};

fn total<A: SafePromote<B, Output: Floating>, B>(x: &Tensor<A>, y: &Tensor<B>) {
    let total = (x * y).sum();
}

fn main() {}
