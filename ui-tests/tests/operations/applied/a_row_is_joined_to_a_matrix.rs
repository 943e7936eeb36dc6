use supremum::prelude::*;

fn main() {
    let mut a: Tensor<F32, Rank2> = tensor![[1.0, 2.0]];
    let row: Tensor<F32, Rank1> = tensor![3.0, 4.0];
    let column: Tensor<F32, Rank1> = tensor![5.0];
    let y = a.concat(&column.unsqueeze(1), 1);
    assert_eq!(y.to_vec(), [1.0, 2.0, 5.0]);
    let rows = vec![row.clone(), row];
    let y = stack(&rows, 0);
    assert_eq!(y.to_vec(), [3.0, 4.0, 3.0, 4.0]);
}
