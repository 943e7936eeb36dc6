//! The type of elements on the right of `+`, where the tensor on the left has a marker.
use supremum::{F32, Rank1, Tensor};

fn shifted(x: &Tensor<F32, Rank1>, by: &Tensor<f32, Rank1>) -> Tensor<F32, Rank1> {
    x + by
}

fn main() {}
