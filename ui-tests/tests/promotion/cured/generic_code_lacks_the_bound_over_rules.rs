use supremum::{Arithmetic, Rank, Rules, Tensor};

fn square<D: Arithmetic<R, N>, N: Rank, R: Rules>(x: &Tensor<D, N, R>) {
    let square = x * x;
}

fn main() {}
