use supremum::{Arithmetic, Rank, Rules, Tensor};

fn half<D: Arithmetic<R, N>, N: Rank, R: Rules>(x: &Tensor<D, N, R>) {
    let half = x / x;
}

fn main() {}
