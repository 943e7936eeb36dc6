use supremum::{Floating, Rank, Rules, Tensor};

fn square<D: Floating<R, N>, N: Rank, R: Rules>(x: &Tensor<D, N, R>) {
    let square = x * x;
}

fn main() {}
