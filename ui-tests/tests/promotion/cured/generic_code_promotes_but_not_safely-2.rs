use supremum::{Promote, Rank1, StaticDType, Tensor};

fn sum<A: StaticDType + Promote<B>, B: StaticDType>(a: &Tensor<A>, b: &Tensor<B>) {
    let sum = a.cast::<<<A as Promote<B>>::Output as StaticDType>::Strong>();
}

fn main() {}
