//! rustc answers, and quotes a line of ours.
use supremum::{Bool, Rank1, Tensor, tensor};

fn main() {
    let mask: Tensor<Bool, Rank1> = tensor![true, false];
    let other = -mask;
}
