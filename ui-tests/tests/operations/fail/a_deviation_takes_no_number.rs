//! rustc proposes the deviation that is divided by n. The comment on the quoted line begins with the other one.
use supremum::{F32, Rank1, Tensor, tensor};

fn main() {
    let x: Tensor<F32, Rank1> = tensor![3.0, 1.0];
    let s = x.std(1);
}
