use supremum::{F32, Rank1, Tensor, tensor};

fn main() {
    let any_rank: Tensor<F32> = tensor![0.5, 1.5];
    let vector: Tensor<F32, Rank1> = tensor![0.5, 1.5];
    let n: usize = any_rank.len();
    let sum = n * &any_rank;
    let rest = n - vector.exp();
}
