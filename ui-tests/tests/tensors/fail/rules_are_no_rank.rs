//! The second parameter is the rank.
use supremum::{F32, Numpy, Tensor, tensor};

fn main() {
    let x: Option<Tensor<F32, Numpy>> = Some(Tensor::from_vec(vec![1.0], [1]).unwrap());
    let b: Tensor<F32, Numpy> = tensor![1.0, 2.0];
}
