use supremum::{Floating, Rank, Rules, Tensor};

fn half<D: Floating<R, N>, N: Rank, R: Rules>(x: &Tensor<D, N, R>) {
    let half = x / x;
}

fn main() {}
