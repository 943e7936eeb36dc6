use supremum::prelude::*;

fn main() {
    let a: Tensor<F32, Rank2> = tensor![[1, 2, 3], [4, 5, 6]];
    let v = a.reshape([3, 2]);
    let w = a.broadcast_to([2, 3]);
    let n: usize = a.shape()[0];
    let c: Tensor<F32, Rank2> = a.maximum(2.0);
}
