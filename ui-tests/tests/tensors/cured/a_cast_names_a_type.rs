use supremum::{DType, F32, I64, Rank1, Tensor, tensor};

fn main() {
    let counts: Tensor<I64, Rank1> = tensor![1, 2];
    let weights = counts.cast::<F32>();
}
