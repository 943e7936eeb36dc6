use supremum::{F32, Rank1, Tensor, fuse};

fn main() {
    let x = Tensor::<F32, Rank1>::ones([2]);
    let a = fuse!(let y = x * 0.5; y.cast::<F32>() + 1);
    let b = fuse!(let y = x; let z = x; y + z);
    let c = fuse!(let y = x; y + 1);
    let d = fuse!(let y = x; y + 1);
    let e = fuse!(let y = x; y);
}
