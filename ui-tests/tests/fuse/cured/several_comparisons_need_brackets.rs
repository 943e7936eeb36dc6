use supremum::prelude::*;

fn main() {
    let x: Tensor<F32, Rank1> = tensor![1.5];
    let a = fuse!((x > 1) & (x < 5));
    let b = fuse!(if (1 < x) & (x < 5) { x } else { 0 });
}
