use supremum::fuse;
use supremum::prelude::*;

fn main() {
    let a: Tensor<F32, Rank1> = tensor![1.0, 2.0];
    let b: Tensor<F32, Rank1> = tensor![1.0, 2.0];
    let c = &a;
    let middle: Tensor<F32, Rank1> = fuse!(a * b + c);
}
