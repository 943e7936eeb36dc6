//! Nothing states the dtype of the result.
use supremum::prelude::*;

fn main() {
    let labels: Tensor<I64, Rank1> = tensor![0, 2];
    let targets = labels.one_hot(3);
    assert_eq!(targets.shape(), [2, 3]);
}
