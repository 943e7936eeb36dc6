//! A conversion by `as` to a type that is the element of no dtype.
use supremum::{F32, Rank1, Tensor, fuse};

fn main() {
    let x = Tensor::<F32, Rank1>::ones([2]);
    let counts = fuse!((x * 2.0) as usize);
}
