use supremum::prelude::*;

fn main() {
    let a: Tensor<F32, Rank1> = tensor![1.0, 2.0, 4.0];
    let p: Tensor<F32, Rank1> = a.sigmoid();
    let y: Tensor<F32, Rank1> = fuse!((p / (1.0 - p)).ln());
    assert!(y.approx_eq(&a, 1e-5, 1e-5));
}
