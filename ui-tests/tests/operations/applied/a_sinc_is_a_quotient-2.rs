use supremum::prelude::*;

fn main() {
    let x: Tensor<F32, Rank1> = tensor![0.0, 0.5];
    let p = &x * 3.141592653589793;
    let y: Tensor<F32, Rank1> = select(&x.equal(0.0), 1.0, p.sin() / &p);
    assert!(y.approx_eq(&[1.0, 0.63661975], 1e-6, 0.0));
}
