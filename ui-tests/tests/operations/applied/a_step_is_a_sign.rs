use supremum::prelude::*;

fn main() {
    let a: Tensor<F32, Rank1> = tensor![-2.0, 0.0, 3.0];
    let y: Tensor<F32, Rank1> = fuse!((a.sign() + 1.0) / 2.0);
    assert_eq!(y.to_vec(), [0.0, 0.5, 1.0]);
    assert_eq!(a.gt(0.0).cast::<F32>().to_vec(), [0.0, 0.0, 1.0]);
    assert_eq!(a.ge(0.0).cast::<F32>().to_vec(), [0.0, 1.0, 1.0]);
}
