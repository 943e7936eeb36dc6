use supremum::{F32, Floating, I64, Rank, Rank2, Tensor, Torch, tensor};

fn square<D: Floating<Torch, Rank2>>(x: &Tensor<D, Rank2, Torch>) -> Tensor<D, Rank2, Torch> {
    x.matmul(&x.transpose())
}

fn main() {
    let weights: Tensor<F32, Rank2, Torch> = tensor![[0.5], [1.5]];
    let counts: Tensor<I64, Rank2, Torch> = tensor![[1, 2]];
    let product = square(&weights);
}
