//! `promote` takes one argument.
use supremum::{BF16, F16, Rank1, Tensor, promote, tensor};

fn main() {
    let (a, b): (Tensor<BF16, Rank1>, Tensor<F16, Rank1>) = (tensor![1.0], tensor![0.5]);
    let (a, b) = promote(&a, &b);
}
