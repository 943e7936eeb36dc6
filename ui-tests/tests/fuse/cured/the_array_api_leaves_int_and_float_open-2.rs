use supremum::{ArrayApi, F32, I32, Rank0, Rank1, Tensor, fuse, tensor};

fn main() {
    let n: Tensor<I32, Rank1, ArrayApi> = tensor![1, 2];
    let x: Tensor<F32, Rank1, ArrayApi> = tensor![1.0, 2.0];
    let sum = fuse!(x) + Tensor::<F32, Rank0, _>::scalar(2.0);
}
