use supremum::{Rank, Rules, StaticDType, Tensor};

fn square<D: StaticDType, N: Rank, R: Rules>(x: &Tensor<D, N, R>) {
    let square = x * x;
}

fn main() {}
