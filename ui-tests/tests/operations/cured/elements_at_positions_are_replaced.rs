use supremum::prelude::*;

fn main() {
    let mut a: Tensor<F32, Rank2> = tensor![[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]];
    let positions: Tensor<I64, Rank2> = tensor![[0], [1], [0]];
    let values: Tensor<F32, Rank2> = tensor![[7.0], [8.0], [9.0]];
    let y: Tensor<F32, Rank2> = a.scatter(&positions, &values, 1);
}
