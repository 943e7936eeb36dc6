use supremum::prelude::*;

fn main() {
    let x: Tensor<F32, Rank1> = tensor![0.0, 1.0];
    let y: Tensor<F32, Rank1> = tensor![0.0, 1.0];
    let z: Tensor<F32, Rank1> = select(&x.equal(0.0), 0.0, &x * y.ln());
    assert_eq!(z.to_vec(), [0.0, 0.0]);
    let z: Tensor<F32, Rank1> = select(&x.equal(0.0), 0.0, &x * y.ln_1p());
    assert!(z.approx_eq(&[0.0, 0.6931472], 1e-6, 0.0));
}
