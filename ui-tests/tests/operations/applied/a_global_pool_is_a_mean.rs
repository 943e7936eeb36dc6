use supremum::prelude::*;

fn main() {
    let x: Tensor<F32, Rank4> = Tensor::ones([1, 2, 3, 3]);
    let y: Tensor<F32, Rank4> = x.mean_keepdims([2, 3]);
    assert_eq!(y.to_vec(), [1.0, 1.0]);
    let y = x.avg_pool2d(PoolOptions::new([3, 3]));
    assert_eq!(y, x.mean_keepdims([2, 3]));
}
