use supremum::prelude::*;

fn main() {
    let x: Tensor<F32, Rank1> = tensor![-2.0, 1.0];
    let y: Tensor<F32, Rank1> = x.clamp(-1, 1);
    assert_eq!(y.to_vec(), [-1.0, 1.0]);
    let y: Tensor<F32, Rank1> = fuse!(x / (x.abs() + 1.0));
    assert!(y.approx_eq(&[-0.6666667, 0.5], 1e-6, 0.0));
    let y: Tensor<F32, Rank1> = fuse!(x - x.tanh());
    assert!(y.approx_eq(&[-1.0359724, 0.23840584], 1e-6, 0.0));
    let halves = x.chunk(2, -1);
    let y = &halves[0] * halves[1].sigmoid();
    assert!(y.approx_eq(&[-1.4621172], 1e-6, 0.0));
}
