//! A sum along axes has another name, and takes them as one argument.
use supremum::{F32, Rank0, Rank1, Rank2, Tensor, fuse};

fn main() {
    let x = Tensor::<F32, Rank2>::ones([2, 3]);
    let a: Tensor<F32, Rank1> = fuse!((x * 2).sum(0));
    let b: Tensor<F32, Rank0> = fuse!((x * 2).sum_axis(0, 1));
}
