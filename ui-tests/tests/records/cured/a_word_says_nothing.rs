use supremum::prelude::*;

#[derive(LoadTensors)]
#[load(allow_extra)]
struct Layer {
    #[load("fc1.weight", shape = [64, _])]
    weight: Tensor<F32, Rank2>,
    #[load(shape = [64])]
    bias: Tensor<F32, Rank1>,
}

fn main() {}
