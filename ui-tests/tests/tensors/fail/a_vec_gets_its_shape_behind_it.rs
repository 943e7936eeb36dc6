//! ndarray's name of `from_vec`, whose shape comes first.
use supremum::{F32, Rank2, Tensor};

fn main() {
    let x: Tensor<F32, Rank2> = Tensor::from_shape_vec((2, 2), vec![0.0; 4]).unwrap();
}
