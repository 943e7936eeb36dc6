use supremum::prelude::*;

fn main() {
    let a: Tensor<F32, Rank1> = tensor![1.0, 2.0, 4.0];
    let weights: Tensor<F32, Rank1> = tensor![1.0, 1.0, 2.0];
    let y: Tensor<F32, Rank0> = (&a * &weights).sum() / weights.sum();
    assert_eq!(y.item(), Ok(2.75));
    let a = a.unsqueeze(0);
    let y = (&a * &weights).sum_axis(1) / weights.sum();
    assert_eq!(y.to_vec(), [2.75]);
    assert!(a.mean().approx_eq(&Tensor::<F32, Rank0>::scalar(7.0 / 3.0), 1e-6, 0.0));
}
