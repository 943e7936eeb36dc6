use supremum::prelude::*;

fn main() {
    let a: Tensor<F32, Rank1> = tensor![1.0, 2.0];
    let b: Tensor<F32, Rank1> = tensor![1.5, 5.0];
    let d = (&a - &b).abs();
    let y: Tensor<F32, Rank0> = select(&d.lt(1.0), d.pow(2) * 0.5, &d - 0.5).mean();
    assert_eq!(y.item(), Ok(1.3125));
    let (x, y): (Tensor<F32, Rank1>, Tensor<F32, Rank1>) = (tensor![0.0, 2.0], tensor![1.0, 0.0]);
    let z: Tensor<F32, Rank0> = fuse!((x.softplus() - x * y).mean());
    assert!(z.approx_eq(&Tensor::<F32, Rank0>::scalar(1.4100376), 1e-6, 0.0));
}
