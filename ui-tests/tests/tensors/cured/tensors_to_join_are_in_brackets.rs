use supremum::prelude::*;

fn main() {
    let a: Tensor<F32, Rank1> = tensor![1, 2];
    let b: Tensor<F32, Rank1> = tensor![3, 4];
    let joined = concat([&a, &b], 0);
    let rows = stack([&a, &b], 0);
}
