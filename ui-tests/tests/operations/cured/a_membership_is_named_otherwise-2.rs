use supremum::{F32, I64, Rank1, Tensor, tensor};

fn main() {
    let ids: Tensor<I64, Rank1> = tensor![3, 1, 4];
    let known: Tensor<I64, Rank1> = tensor![1, 2];
    let mask = ids.cast::<F32>().is_in(&known.cast::<F32>());
}
