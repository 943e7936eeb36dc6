use supremum::{Floating, Rank, Rules, Tensor, fuse};

fn half<D: Floating<R, N>, N: Rank, R: Rules>(x: &Tensor<D, N, R>) -> Tensor<D, N, R> {
    fuse!(x * 0.5)
}

fn main() {}
