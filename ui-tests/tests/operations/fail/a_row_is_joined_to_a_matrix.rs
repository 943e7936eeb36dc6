use supremum::prelude::*;

fn main() {
    let mut a: Tensor<F32, Rank2> = tensor![[1.0, 2.0]];
    let row: Tensor<F32, Rank1> = tensor![3.0, 4.0];
    a.push_row(&row);
}
