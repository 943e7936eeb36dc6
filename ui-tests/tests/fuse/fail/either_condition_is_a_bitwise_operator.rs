//! `||` is between single booleans.
use supremum::{F32, Rank1, Tensor, fuse};

fn main() {
    let x = Tensor::<F32, Rank1>::ones([2]);
    let outside = fuse!((x < 0.0) || (x > 1.0));
}
