use supremum::{F32, Rank1, Tensor, fuse};

fn main() {
    let x = Tensor::<F32, Rank1>::ones([2]);
    let mut out = Tensor::<F32, Rank1>::zeros([3]);
    fuse!(out.slice_mut(0, 1..3) = x * 2.0);
}
