use supremum::prelude::*;

fn main() {
    let matrix: Tensor<F32, Rank2> = tensor![[1, 2, 3], [4, 5, 6]];
    let row: Tensor<F32, Rank1> = tensor![1, 2, 3];
    let sums = &matrix + &row;
    let rows = matrix.reshape([2, -1]);
    let elements = matrix.flatten();
    let (low, high) = (2.0, 5.0);
    let limited: Tensor<F32, Rank2> = matrix.clamp(low, high);
    let limited: Tensor<F32, Rank2> = matrix.minimum(high);
    assert_eq!(matrix.len(), matrix.sizes().iter().product::<usize>());
    assert_eq!(limited.to_vec(), [1.0, 2.0, 3.0, 4.0, 5.0, 5.0]);
}
