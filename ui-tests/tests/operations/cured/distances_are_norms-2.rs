use supremum::prelude::*;

fn main() {
    let a: Tensor<F32, Rank2> = tensor![[1.0, 2.0], [3.0, 4.0]];
    let b: Tensor<F32, Rank2> = tensor![[1.0, 2.0], [3.0, 4.0]];
    let distances: Tensor<F32, Rank2> =
        a.pow(2).sum_keepdims(1) + b.pow(2).sum_axis(1) - a.matmul(&b.transpose()) * 2.0;
}
