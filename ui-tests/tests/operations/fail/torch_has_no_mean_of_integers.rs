use supremum::{I64, Rank1, Tensor, Torch, tensor};

fn main() {
    let counts: Tensor<I64, Rank1, Torch> = tensor![1, 2];
    let mean = counts.mean();
}
