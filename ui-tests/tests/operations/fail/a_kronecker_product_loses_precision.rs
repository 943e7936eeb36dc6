use supremum::{F32, I64, Rank2, Tensor, tensor};

fn main() {
    let weights: Tensor<F32, Rank2> = tensor![[0.5, 1.5]];
    let counts: Tensor<I64, Rank2> = tensor![[1, 2]];
    let product = weights.kron(&counts);
}
