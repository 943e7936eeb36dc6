//! Files of tensors have nothing else.

use supremum::prelude::*;

#[derive(LoadTensors)]
struct Layer {
    weight: Tensor<F32, Rank2>,
    epsilon: f32,
}

fn main() {}
