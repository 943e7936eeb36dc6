use supremum::prelude::*;

#[derive(LoadTensors)]
#[tensor(allow_extra)]
struct Layer {
    #[tensor("fc1.weight", shape = [64, _])]
    weight: Tensor<F32, Rank2>,
    #[tensor(shape = [64])]
    bias: Tensor<F32, Rank1>,
}

fn main() {}
