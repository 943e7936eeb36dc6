//! PyTorch's `argsort` takes `descending`.
use supremum::prelude::*;

fn main() {
    let scores: Tensor<F32, Rank1> = tensor![0.5, 2.0, 1.0];
    let order = scores.argsort(0, true);
    assert_eq!(order.to_vec(), [1, 2, 0]);
}
