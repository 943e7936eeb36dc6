use supremum::prelude::*;

fn main() {
    let a: Tensor<U32, Rank1> = tensor![1, 2];
    let b: Tensor<U32, Rank1> = tensor![3, 5];
    let y = &a ^ &b;
}
