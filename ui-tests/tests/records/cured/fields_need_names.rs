use supremum::prelude::*;

#[derive(LoadTensors)]
struct Layer { weight: Tensor<F32, Rank2> }

fn main() {
}
