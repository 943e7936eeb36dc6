use supremum::prelude::*;

fn main() {
    let a: Tensor<F32, Rank2> = tensor![[1.0, 2.0], [3.0, 4.0]];
    let points: Tensor<F32, Rank1> = tensor![0.0, 5.0];
    let values: Tensor<F32, Rank1> = tensor![0.0, 10.0];
    let large: Tensor<F32, Rank2> = a.interp(&points, &values);
}
