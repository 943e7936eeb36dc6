//! PyTorch's sizes and strides of windows.
use supremum::{F32, Rank4, Tensor};

fn main() {
    let x = Tensor::<F32, Rank4>::ones([1, 1, 4, 4]);
    let y = x.max_pool2d(2, 2);
    assert_eq!(y.shape(), [1, 1, 2, 2]);
}
