use supremum::prelude::*;

fn main() {
    let mut a: Tensor<F32, Rank2> = tensor![[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]];
    let positions: Tensor<I64, Rank2> = tensor![[0], [1], [0]];
    let values: Tensor<F32, Rank2> = tensor![[7.0], [8.0], [9.0]];
    let y: Tensor<F32, Rank2> = a.scatter(&positions, &values, 1);
    assert_eq!(y.to_vec(), [7.0, 2.0, 3.0, 8.0, 9.0, 6.0]);
    let rows: Tensor<I64, Rank1> = tensor![2];
    let values: Tensor<F32, Rank2> = tensor![[7.0, 8.0]];
    let y = a.scatter(&rows.unsqueeze(1), &values, 0);
    assert_eq!(y.to_vec(), [1.0, 2.0, 3.0, 4.0, 7.0, 8.0]);
    for i in [0, 2] { a.index_axis_mut(0, i).fill(0.0); }
    assert_eq!(a.to_vec(), [0.0, 0.0, 3.0, 4.0, 0.0, 0.0]);
}
