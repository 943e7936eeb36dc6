//! NumPy's name of a choice. rustc would propose `nan_sum`.
use supremum::prelude::*;

fn main() {
    let x: Tensor<F32, Rank2> = tensor![[1.0, 2.0], [3.0, 4.0]];
    let y = x.nan_to_num();
}
