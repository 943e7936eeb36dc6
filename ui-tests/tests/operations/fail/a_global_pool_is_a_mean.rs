use supremum::prelude::*;

fn main() {
    let x: Tensor<F32, Rank4> = Tensor::ones([1, 2, 3, 3]);
    let y: Tensor<F32, Rank4> = x.adaptive_avg_pool2d(1);
}
