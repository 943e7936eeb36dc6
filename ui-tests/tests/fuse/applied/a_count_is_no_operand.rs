use supremum::{Arithmetic, F32, Rank, Rank1, Rules, Tensor, fuse, tensor};

fn square<D: Arithmetic<R, N>, N: Rank, R: Rules>(x: &Tensor<D, N, R>) -> Tensor<D, N, R> {
    fuse!(x * x)
}

fn main() {
    let x: Tensor<F32, Rank1> = tensor![1.0];
    let mean = square(&x);
}
