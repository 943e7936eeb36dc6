use supremum::prelude::*;

fn main() {
    let x: Tensor<F32, Rank2> = tensor![[1.0, 2.0], [3.0, 4.0]];
    let y = [x.nan_sum(), x.nan_mean(), x.nan_max()];
}
