use supremum::prelude::*;

fn main() {
    let a: Tensor<I32, Rank1> = tensor![12, -18];
    let b: Tensor<I32, Rank1> = tensor![8, 12];
    let f = |mut x: i32, mut y: i32| loop { if y == 0 { break x.abs(); } (x, y) = (y, x % y); };
    let y: Tensor<I32, Rank1> = fuse!(f(a, b));
}
