use supremum::{SafePromote, StaticDType, Tensor};

fn sum<A: SafePromote<B>, B: StaticDType>(a: &Tensor<A>, b: &Tensor<B>) {
    let sum = a + b;
}

fn main() {}
