//! `approx_eq` compares tensors of one dtype, or a tensor with numbers.
use supremum::{F32, F64, Rank1, Tensor, tensor};

fn main() -> Result<(), supremum::Error> {
    let x: Tensor<F32, Rank1> = tensor![0.5, 1.5];
    let expected: Tensor<F64, Rank1> = tensor![0.5, 1.5];
    assert!(x.approx_eq(&expected, 1e-5, 1e-8));
    assert!(x.sum().approx_eq(2.0, 1e-5, 1e-8));
    Ok(())
}
