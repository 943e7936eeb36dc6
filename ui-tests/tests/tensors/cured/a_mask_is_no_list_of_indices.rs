use supremum::prelude::*;

fn main() {
    let x: Tensor<F32, Rank2> = tensor![[1.0, 2.0], [3.0, 4.0]];
    let labels: Tensor<U8, Rank1> = tensor![7, 3];
    let mask = labels.equal(3);
    let rows = x.compress(&mask, 0);
}
