use supremum::{F32, PoolOptions, Rank4, Tensor};

fn main() {
    let x = Tensor::<F32, Rank4>::ones([1, 1, 4, 4]);
    let y = x.max_pool2d(PoolOptions::new([2, 2]));
    assert_eq!(y.shape(), [1, 1, 2, 2]);
}
