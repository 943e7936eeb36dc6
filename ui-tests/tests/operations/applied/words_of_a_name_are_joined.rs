use supremum::prelude::*;

fn main() {
    let a: Tensor<F32, Rank1> = tensor![1.0, 2.0];
    let b: Tensor<F32, Rank1> = tensor![3.0, 5.0];
    let axis = 0;
    let y = stack([&a, &b], axis).log_sum_exp(axis);
    assert!(y.approx_eq(&a.log_add_exp(&b), 1e-6, 0.0));
    let y = a.next_after(&b);
    assert!(y[0] > 1.0 && y[0] < 1.000_001);
}
