use supremum::{Promote, StaticDType, Tensor};

fn sum<A: StaticDType + Promote<B>, B: StaticDType>(a: &Tensor<A>, b: &Tensor<B>) {
    let sum = a + b;
}

fn main() {}
