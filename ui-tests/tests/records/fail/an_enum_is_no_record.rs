//! A file does not say which variant it holds.

use supremum::prelude::*;

#[derive(LoadTensors)]
enum Layer {
    Dense { weight: Tensor<F32, Rank2> },
    Scale { factor: Tensor<F32, Rank0> },
}

fn main() {}
