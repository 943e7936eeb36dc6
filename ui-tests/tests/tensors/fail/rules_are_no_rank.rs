//! The second parameter is the rank.
use supremum::{F32, Numpy, Tensor};

fn main() {
    let x: Option<Tensor<F32, Numpy>> = Some(Tensor::from_vec(vec![1.0], [1]).unwrap());
}
