use supremum::{SafePromote, Tensor};

fn total<A: SafePromote<B>, B>(a: &Tensor<A>, b: &Tensor<B>) {
    let total = a + b;
}

fn main() {}
