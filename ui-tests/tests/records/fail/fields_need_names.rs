//! Fields without names have none in a file either.

use supremum::prelude::*;

#[derive(LoadTensors)]
struct Layer(Tensor<F32, Rank2>, Tensor<F32, Rank1>);

fn main() {
    let _ = Layer::load_part;
}
