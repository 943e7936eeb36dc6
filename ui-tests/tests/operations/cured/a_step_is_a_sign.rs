use supremum::prelude::*;

fn main() {
    let a: Tensor<F32, Rank1> = tensor![-2.0, 0.0, 3.0];
    let y: Tensor<F32, Rank1> = fuse!((a.sign() + 1.0) / 2.0);
}
