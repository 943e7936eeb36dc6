use supremum::{F32, I64, Rank2, Tensor, tensor, try_fuse};

fn main() {
    let counts: Tensor<I64, Rank2> = tensor![[1, 2], [3, 4]];
    let weights: Tensor<F32, Rank2> = tensor![[0.5, 0.25], [0.125, 0.0]];
    let product = supremum::try_promote_unsafe!(counts.matmul(&weights));
    let sum = try_fuse!(weights + weights);
}
