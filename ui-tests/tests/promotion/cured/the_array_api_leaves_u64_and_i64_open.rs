use supremum::{ArrayApi, F32, I64, Rank1, Tensor, U64, tensor};

fn main() {
    let a: Tensor<U64, Rank1, ArrayApi> = tensor![1, 2];
    let b: Tensor<I64, Rank1, ArrayApi> = tensor![-1, -2];
    let sum = a.cast::<F32>() + b.cast::<F32>();
}
