use supremum::{F32, Rank1, Tensor, fuse};

fn main() {
    let x = Tensor::<F32, Rank1>::ones([3]);
    let mut out = Tensor::<F32, Rank1>::zeros([3]);
    fuse!(out[0] = x * 2.0);
}
