use supremum::prelude::*;

fn main() {
    let labels: Tensor<F32, Rank1> = tensor![1.0, 2.0];
    let hits = labels.lt(1.0).all();
}
