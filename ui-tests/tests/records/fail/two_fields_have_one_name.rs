//! A tensor is in one field; both mistakes of the record are reported.

use supremum::prelude::*;

#[derive(LoadTensors)]
struct Layer {
    weight: Tensor<F32, Rank2>,
    #[load("weight")]
    transposed: Tensor<F32, Rank2>,
    #[load("weight", shape = [64, _])]
    again: Tensor<F32, Rank2>,
}

fn main() {}
