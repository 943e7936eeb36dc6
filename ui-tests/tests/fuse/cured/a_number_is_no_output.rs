use supremum::{F32, Rank1, Tensor, fuse};

fn main() {
    let x = Tensor::<F32, Rank1>::ones([1]);
    let mut out = Tensor::<F32, Rank1>::zeros([3]);
    fuse!(out.slice_mut(0, ..1) = x * 2.0);
}
