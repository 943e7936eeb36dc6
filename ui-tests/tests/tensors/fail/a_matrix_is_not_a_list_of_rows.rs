use supremum::prelude::*;

fn main() {
    let t: Tensor<F32, Rank2> = tensor![[1.0, 2.0], [3.0, 4.0]];
    let _ = t[0][1];
}
