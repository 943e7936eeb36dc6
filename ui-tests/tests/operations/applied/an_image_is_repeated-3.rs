use supremum::PoolOptions;
use supremum::prelude::*;

fn main() {
    let a: Tensor<F32, Rank2> = tensor![[1.0, 2.0], [3.0, 4.0]];
    let small = a.reshape([1, 1, 2, 2]).avg_pool2d(PoolOptions::new([2, 2]));
}
