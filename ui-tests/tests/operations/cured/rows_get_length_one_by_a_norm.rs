use supremum::prelude::*;

fn main() {
    let a: Tensor<F32, Rank2> = tensor![[3.0, 4.0], [1.0, 0.0]];
    let y: Tensor<F32, Rank2> = &a / a.norm_keepdims(2.0, -1);
}
