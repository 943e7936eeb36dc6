//! A float is added to integers in place.
use supremum::prelude::*;

fn main() {
    let mut counts: Tensor<I32, Rank1> = tensor![1, 2];
    fuse!(counts += 0.5);
}
