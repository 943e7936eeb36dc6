use supremum::{I64, Rank1, Tensor, U64, tensor};

fn main() {
    let hashes: Tensor<U64, Rank1> = tensor![1, 2, 3];
    let offsets: Tensor<I64, Rank1> = tensor![-1, 0, 1];
    let moved: Tensor<I64, Rank1> = hashes.cast::<I64>() + &offsets;
}
