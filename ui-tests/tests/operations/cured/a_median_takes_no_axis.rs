use supremum::prelude::*;

fn main() {
    let a: Tensor<F32, Rank2> = tensor![[1, 2, 4], [4, 5, 6]];
    assert_eq!(a.median_axis(1).to_vec(), [2.0, 5.0]);
    assert_eq!(a.median_keepdims(1).shape(), [2, 1]);
    assert_eq!(a.nan_median_axis(1).to_vec(), [2.0, 5.0]);
    assert_eq!(a.count_nonzero_axis(1).to_vec(), [3, 3]);
    assert_eq!(a.count_nonzero_keepdims(1).shape(), [2, 1]);
}
