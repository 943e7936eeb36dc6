use supremum::prelude::*;

fn main() {
    let x: Tensor<F32, Rank1> = tensor![1.5];
    let y: Tensor<F32, Rank1> = tensor![1.0];
    let mask: Tensor<Bool, Rank1> = tensor![true];
    let chosen = fuse!((x > 0.0) & (y > 0.0));
    let differ = !x.equal(0.0);
}
