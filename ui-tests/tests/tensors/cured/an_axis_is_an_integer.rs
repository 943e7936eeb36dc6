use supremum::prelude::*;

fn main() {
    let x: Tensor<F32, Rank2> = tensor![[1.0, 2.0], [3.0, 4.0]];
    let row: Tensor<F32, Rank1> = x.index_axis(0, 1);
    let columns: Tensor<F32, Rank1> = x.sum_axis(0);
}
