use supremum::{Promoted, SafePromote, StaticDType, Tensor};

fn shifted<A: SafePromote<B>, B: StaticDType>(
    a: &Tensor<A>,
    b: &Tensor<B>,
) -> Tensor<Promoted<A, B>> {
    a + b
}

fn main() {}
