use supremum::{I32, Rank1, Tensor, Torch, tensor};

fn main() {
    let counts: Tensor<I32, Rank1, Torch> = tensor![1, 2];
    let _ = counts.gelu();
}
