use supremum::prelude::*;

fn main() {
    let a: Tensor<F64, Rank1> = tensor![1.0, 3.0];
    let y: Tensor<F64, Rank1> = fuse!(2.0.pow(a));
    assert_eq!(y.to_vec(), [2.0, 8.0]);
    let y = Tensor::<F64, Rank0>::scalar(2.0).pow(&a);
    assert_eq!(y.to_vec(), [2.0, 8.0]);
    assert_eq!((4.0_f64.powf(0.5), 3.0_f64.powi(2)), (2.0, 9.0));
}
