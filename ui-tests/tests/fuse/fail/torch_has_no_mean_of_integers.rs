use supremum::{I64, Rank1, Tensor, Torch, fuse, tensor};

fn main() {
    let n: Tensor<I64, Rank1, Torch> = tensor![1, 2];
    let mean = fuse!((n * n).mean());
}
