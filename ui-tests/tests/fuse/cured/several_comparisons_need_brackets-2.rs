use supremum::prelude::*;

fn main() {
    let x: Tensor<F32, Rank1> = tensor![1.5];
    let n: Tensor<I32, Rank1> = tensor![3];
    let a = fuse!((x > 1) | (x < 5));
    let b = fuse!(if (1 < x) & (x < 5) { x } else { 0 });
    let c = fuse!((x > 1.0) & (x < 5.0));
    let d = fuse!(if !(n > 1) | (n == 5) { n } else { 0 });
}
