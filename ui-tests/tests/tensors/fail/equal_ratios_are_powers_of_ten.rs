use supremum::prelude::*;

fn main() {
    let y: Tensor<F32, Rank1> = Tensor::geomspace(1.0, 1000.0, 4);
}
