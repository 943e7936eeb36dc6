use supremum::prelude::*;

fn main() {
    let x: Tensor<F32, Rank2> = tensor![[1.0, 2.0], [3.0, 4.0]];
    let keep = x.gt(1.5);
    let y: Tensor<F32, Rank2> = select(&keep, &x / 0.9, 0.0);
}
