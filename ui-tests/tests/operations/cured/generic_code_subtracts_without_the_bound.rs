use supremum::{Arithmetic, SafePromote, Tensor};

fn difference<A: SafePromote<B, Output: Arithmetic>, B>(a: &Tensor<A>, b: &Tensor<B>) {
    let difference = a - b;
}

fn main() {}
