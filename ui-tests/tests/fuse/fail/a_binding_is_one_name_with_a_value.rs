//! A binding in `fuse!` is one name, without a type, and has a value.
use supremum::{F32, Rank1, Tensor, fuse};

fn main() {
    let x = Tensor::<F32, Rank1>::ones([2]);
    let a = fuse!(let y: Tensor<F32, Rank1> = x * 0.5; y + 1);
    let b = fuse!(let (y, z) = (x, x); y + z);
    let c = fuse!(let y; y + 1);
    let d = fuse!(let y = x else { return }; y + 1);
    let e = fuse!(let y = x; dbg!(y););
}
