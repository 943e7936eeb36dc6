use supremum::prelude::*;

fn main() {
    let labels: Tensor<I64, Rank1> = tensor![1, 2];
    let hits = labels.lt(1).all();
}
