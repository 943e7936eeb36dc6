//! A mean is a tensor of rank 0.
use supremum::{F32, Rank2, Tensor};

fn average(x: &Tensor<F32, Rank2>) -> f32 {
    x.mean()
}

fn main() {}
