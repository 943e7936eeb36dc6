use supremum::prelude::*;

fn main() {
    let a: Tensor<I32, Rank1> = tensor![1, 2];
    let b: Tensor<I32, Rank1> = tensor![3, 5];
    let y: Tensor<I32, Rank1> = concat([&a, &b], 0).unique();
}
