//! `concat` makes a tensor, which `fuse!` reads by `&`, as it does with any other function of tensors.
use supremum::prelude::*;

fn main() {
    let a: Tensor<F32, Rank1> = tensor![1.0];
    let y = fuse!(concat([&a, &a], 0) + 1.0);
    assert_eq!(y.to_vec(), [2.0, 2.0]);
}
