use supremum::{F32, I64, Rank2, Tensor, einsum, tensor};

fn main() {
    let weights: Tensor<F32, Rank2> = tensor![[0.5, 1.5]];
    let counts: Tensor<I64, Rank2> = tensor![[1, 2]];
    let product = einsum!("ij,kj->ik", weights, counts);
}
