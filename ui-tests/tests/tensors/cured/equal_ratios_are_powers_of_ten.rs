use supremum::prelude::*;

fn main() {
    let y: Tensor<F32, Rank1> = Tensor::logspace(0.0, 3.0, 4);
}
