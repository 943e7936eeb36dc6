//! Rust's `contains` of a range takes one number.
use supremum::prelude::*;

fn main() {
    let x: Tensor<F32, Rank1> = tensor![0.25, 0.75];
    let low = fuse!((0.0..0.5).contains(x));
    assert_eq!(low.to_vec(), [true, false]);
}
