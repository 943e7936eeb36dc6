use supremum::{F32, Rank1, Tensor, fuse};

fn main() {
    let x = Tensor::<F32, Rank1>::ones([2]);
    let mut out = x.clone();
    fuse!(out += x * 2);
}
