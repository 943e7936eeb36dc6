//! `keepdim=True` of PyTorch, which rustc drops.
use supremum::prelude::*;

fn main() {
    let a: Tensor<F32, Rank2> = tensor![[3, 4], [6, 8]];
    assert_eq!(a.norm(2.0, 1, true).shape(), [2, 1]);
    assert_eq!(a.log_sum_exp(1, true).shape(), [2, 1]);
    assert_eq!(a.std_corrected(1, 1, true).shape(), [2, 1]);
}
