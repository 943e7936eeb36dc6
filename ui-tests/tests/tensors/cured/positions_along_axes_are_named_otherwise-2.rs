use supremum::prelude::*;

fn main() {
    let x: Tensor<F32, Rank2> = tensor![[1.0, 2.0], [3.0, 4.0]];
    let y: Tensor<F32> = x.index_axis(0, 1).into_any();
    let y = x[[0, 1]];
}
