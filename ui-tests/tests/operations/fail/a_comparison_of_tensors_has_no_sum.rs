//! NumPy's `(a == b).sum()` counts the equal elements.
use supremum::prelude::*;

fn main() {
    let a: Tensor<I64, Rank1> = tensor![1, 2];
    let b: Tensor<I64, Rank1> = tensor![1, 3];
    let right = (a == b).sum();
}
