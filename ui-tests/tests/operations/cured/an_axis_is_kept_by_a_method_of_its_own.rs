use supremum::prelude::*;

fn main() {
    let a: Tensor<F32, Rank2> = tensor![[3, 4], [6, 8]];
    assert_eq!(a.norm_keepdims(2.0, 1).shape(), [2, 1]);
    assert_eq!(a.log_sum_exp_keepdims(1).shape(), [2, 1]);
    assert_eq!(a.std_corrected_keepdims(1, 1).shape(), [2, 1]);
}
