use supremum::prelude::*;

fn main() {
    let x: Tensor<F32, Rank1> = tensor![0.0, 2.0];
    let y: Tensor<F32, Rank1> = select(&x.equal(0.0), 1.0, x.sin() / &x);
    assert!(y.approx_eq(&[1.0, 0.45464871], 1e-6, 0.0));
}
