//! ndarray's name of `from_fn`.
use supremum::{F32, Rank2, Tensor};

fn main() {
    let x: Tensor<F32, Rank2> = Tensor::from_shape_fn((2, 3), |(i, j)| (i + j) as f32);
}
