use supremum::{F32, Rank1, Tensor, fuse};

fn main() {
    let x = Tensor::<F32, Rank1>::ones([2]);
    let a = fuse!(x.minimum(0.0));
    let b = fuse!(x.clamp(0.0, 1.0));
    let c = fuse!(x.ln());
}
