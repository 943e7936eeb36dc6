//! A matrix has two sizes.

use supremum::prelude::*;

#[derive(LoadTensors)]
struct Layer {
    #[load("fc1.weight", shape = [64])]
    weight: Tensor<F32, Rank2>,
}

fn main() {}
