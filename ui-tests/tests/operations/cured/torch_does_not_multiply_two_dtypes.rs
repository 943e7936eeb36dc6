use supremum::{F32, I64, Rank2, Tensor, Torch, tensor};

fn main() {
    let weights: Tensor<F32, Rank2, Torch> = tensor![[0.5], [1.5]];
    let counts: Tensor<I64, Rank2, Torch> = tensor![[1, 2]];
    let product = counts.cast::<F32>().matmul(&weights);
}
