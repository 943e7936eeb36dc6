//! Words that are none of the attribute.

use supremum::prelude::*;

#[derive(LoadTensors)]
#[load(allow_missing)]
struct Layer {
    #[load(rename = "fc1.weight")]
    weight: Tensor<F32, Rank2>,
    #[load(64)]
    bias: Tensor<F32, Rank1>,
}

fn main() {}
