use supremum::prelude::*;

fn main() {
    let a: Tensor<F32, Rank1> = tensor![1.0, 2.0, 4.0];
    let b = a.clone();
    assert!(!(a != b));
    assert!(a.equal(&b).all().item().unwrap());
    assert!(a.approx_eq(&b, 1e-5, 1e-8));
}
