use supremum::{F32, I64, Rank1, Tensor, tensor};

fn main() {
    let values: Tensor<F32, Rank1> = tensor![0.5, 1.5];
    let positions: Tensor<I64, Rank1> = tensor![1, 0];
    let chosen = values.take(&positions, 0);
}
