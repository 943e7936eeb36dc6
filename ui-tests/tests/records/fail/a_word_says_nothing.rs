//! Words that are none of the attribute.

use supremum::prelude::*;

#[derive(LoadTensors)]
#[tensor(allow_missing)]
struct Layer {
    #[tensor(rename = "fc1.weight")]
    weight: Tensor<F32, Rank2>,
    #[tensor(64)]
    bias: Tensor<F32, Rank1>,
}

fn main() {}
