//! rustc proposes parentheses, so the method exists, for this cure only.
use supremum::{F32, Rank2, Tensor, tensor};

fn main() {
    let x: Tensor<F32, Rank2> = tensor![[1.0, 2.0]];
    let gram = x.T.matmul(&x);
}
