//! candle's method of indexing. rustc would propose `T`.
use supremum::prelude::*;

fn main() {
    let x: Tensor<F32, Rank2> = tensor![[1.0, 2.0], [3.0, 4.0]];
    let y: Tensor<F32> = x.i((0, 1..)).into_any();
}
