use supremum::{ArrayApi, F32, I32, Rank1, Tensor, tensor};

fn main() {
    let a: Tensor<I32, Rank1, ArrayApi> = tensor![1, 2];
    let b: Tensor<F32, Rank1, ArrayApi> = tensor![0.5, 0.25];
    let product = a.cast::<F32>() * b.cast::<F32>();
}
