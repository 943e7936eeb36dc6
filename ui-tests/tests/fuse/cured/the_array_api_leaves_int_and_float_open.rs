use supremum::{ArrayApi, F32, I32, Rank1, Tensor, fuse, tensor};

fn main() {
    let n: Tensor<I32, Rank1, ArrayApi> = tensor![1, 2];
    let x: Tensor<F32, Rank1, ArrayApi> = tensor![1.0, 2.0];
    let sum = fuse!(n.cast::<F32>() + x.cast::<F32>());
}
