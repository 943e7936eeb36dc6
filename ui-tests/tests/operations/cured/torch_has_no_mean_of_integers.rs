use supremum::{F32, I64, Rank1, Tensor, Torch, tensor};

fn main() {
    let counts: Tensor<I64, Rank1, Torch> = tensor![1, 2];
    let mean = counts.cast::<F32>().mean();
}
