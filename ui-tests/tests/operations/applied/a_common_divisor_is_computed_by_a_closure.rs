use supremum::prelude::*;

fn main() {
    let a: Tensor<I32, Rank1> = tensor![12, -18];
    let b: Tensor<I32, Rank1> = tensor![8, 12];
    let f = |mut x: i32, mut y: i32| loop { if y == 0 { break x.abs(); } (x, y) = (y, x % y); };
    let g: Tensor<I32, Rank1> = fuse!(f(a, b));
    assert_eq!(g.to_vec(), [4, 6]);
    let y = (a.floor_div(&g) * &b).abs();
    assert_eq!(y.to_vec(), [24, 36]);
}
