//! PyTorch has `descending`, which rustc drops, so that the order is ascending.
use supremum::prelude::*;

fn main() {
    let scores: Tensor<F32, Rank1> = tensor![0.5, 2.0, 1.0];
    assert_eq!(scores.sort(0, true).to_vec(), [2.0, 1.0, 0.5]);
}
