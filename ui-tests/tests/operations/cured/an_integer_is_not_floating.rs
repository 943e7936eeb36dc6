use supremum::{F32, Floating, I32, Rank, Rules, Tensor, tensor};

fn normalise<D: Floating<R, N>, N: Rank, R: Rules>(x: &Tensor<D, N, R>) -> Tensor<D, N, R> {
    (x - x.mean_keepdims(0)) / x.std_keepdims(0)
}

fn main() {
    let a: Tensor<I32> = tensor![1, 2];
    let normal = normalise(&a.cast::<F32>());
}
