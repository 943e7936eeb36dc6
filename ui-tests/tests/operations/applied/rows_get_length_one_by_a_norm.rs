use supremum::prelude::*;

fn main() {
    let a: Tensor<F32, Rank2> = tensor![[3.0, 4.0], [1.0, 0.0]];
    let y: Tensor<F32, Rank2> = &a / a.norm_keepdims(2.0, -1);
    assert!(y.approx_eq(&tensor![F32; [0.6, 0.8], [1.0, 0.0]], 1e-6, 0.0));
    let b: Tensor<F32, Rank2> = tensor![[4.0, 3.0], [0.0, 2.0]];
    let y: Tensor<F32, Rank1> = fuse!((a * b).sum_axis(-1) / (a.pow(2).sum_axis(-1) * b.pow(2).sum_axis(-1)).sqrt());
    assert!(y.approx_eq(&[0.96, 0.0], 1e-6, 0.0));
    let y = (&a - &b).norm(2.0, -1);
    assert!(y.approx_eq(&[2.0_f32.sqrt(), 5.0_f32.sqrt()], 1e-6, 0.0));
}
