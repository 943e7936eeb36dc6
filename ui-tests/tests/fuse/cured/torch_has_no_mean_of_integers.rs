use supremum::{F32, I64, Rank1, Tensor, Torch, fuse, tensor};

fn main() {
    let n: Tensor<I64, Rank1, Torch> = tensor![1, 2];
    let mean = fuse!((n * n).cast::<F32>().mean());
}
