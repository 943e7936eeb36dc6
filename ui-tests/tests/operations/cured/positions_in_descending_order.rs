use supremum::prelude::*;

fn main() {
    let scores: Tensor<F32, Rank1> = tensor![0.5, 2.0, 1.0];
    let order = scores.argsort_descending(0);
    assert_eq!(order.to_vec(), [1, 2, 0]);
}
