//! A second attribute of a field, and of the record.

use supremum::prelude::*;

#[derive(LoadTensors)]
#[tensor(allow_extra)]
#[tensor(crate = supremum)]
struct Layer {
    #[tensor("fc1.weight")]
    #[tensor(shape = [64, _])]
    weight: Tensor<F32, Rank2>,
}

fn main() {}
