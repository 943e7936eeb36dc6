use supremum::fuse;
use supremum::prelude::*;

fn main() {
    let x: Tensor<F32, Rank2> = tensor![[1.0, 2.0], [3.0, 4.0]];
    let y: Tensor<F32, Rank2> = fuse!(x / (x.pow(2).mean_keepdims(-1) + 1e-5).sqrt());
}
