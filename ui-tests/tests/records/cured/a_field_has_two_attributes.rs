use supremum::prelude::*;

#[derive(LoadTensors)]
#[tensor(allow_extra, crate = supremum)]
struct Layer {
    #[tensor("fc1.weight", shape = [64, _])]
    weight: Tensor<F32, Rank2>,
}

fn main() {}
