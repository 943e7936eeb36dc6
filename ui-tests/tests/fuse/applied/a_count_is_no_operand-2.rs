use supremum::{F32, Floating, Rank, Rank1, Rules, Tensor, fuse, tensor};

fn ratio<D: Floating<R, N>, N: Rank, R: Rules>(x: &Tensor<D, N, R>) -> Tensor<D, N, R> {
    fuse!(x.exp() / x)
}

fn main() {
    let x: Tensor<F32, Rank1> = tensor![1.0];
    let mean = ratio(&x);
}
