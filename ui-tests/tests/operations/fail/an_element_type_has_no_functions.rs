//! The dtype of a tensor is a marker.
use supremum::{Rank1, Tensor};

fn powers(x: &Tensor<f32, Rank1>) -> Tensor<f32, Rank1> {
    x.exp()
}

fn main() {}
