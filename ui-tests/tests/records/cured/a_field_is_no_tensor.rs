use supremum::prelude::*;

#[derive(LoadTensors)]
struct Layer {
    weight: Tensor<F32, Rank2>,
    epsilon: Tensor<F32, Rank0>,
}

fn main() {}
