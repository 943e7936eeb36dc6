//! Sizes are stated of tensors.

use supremum::prelude::*;

#[derive(LoadTensors)]
struct Layer {
    weight: Tensor<F32, Rank2>,
}

#[derive(LoadTensors)]
struct Model {
    #[load("fc1", shape = [64, 48])]
    first: Layer,
}

fn main() {}
