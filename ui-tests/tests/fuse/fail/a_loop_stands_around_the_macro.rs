//! The macro makes one loop, over elements.
use supremum::{F32, Rank1, Tensor, fuse};

fn main() {
    let x = Tensor::<F32, Rank1>::ones([2]);
    let mut y = x.clone();
    fuse!(y = { for _ in 0..3 { y * 0.5 } });
}
