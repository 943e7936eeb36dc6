//! NumPy's names of methods.
use supremum::{F32, Rank1, Tensor, fuse};

fn main() {
    let x = Tensor::<F32, Rank1>::ones([2]);
    let a = fuse!(min(x, 0.0));
    let b = fuse!(x.clip(0.0, 1.0));
    let c = fuse!(x.log());
}
