use supremum::{F32, Rank1, Tensor, tensor};

fn main() {
    let a: Tensor<F32, Rank1> = tensor![1.0, 2.0];
    assert!(a.approx_eq(&(&a + 1e-7), 1e-5, 1e-8));
}
