use supremum::{BF16, Floating, Numpy, Rank, Rank1, Rules, Tensor, tensor};

fn normalise<D: Floating<R, N>, N: Rank, R: Rules>(x: &Tensor<D, N, R>) -> Tensor<D, N, R> {
    (x - x.mean_keepdims(0)) / (x.var_keepdims(0) + 1e-5).sqrt()
}

fn main() {
    let a: Tensor<BF16, Rank1, Numpy> = tensor![1, 2];
    let normal = normalise(&a);
}
