use supremum::prelude::*;

fn main() {
    let a: Tensor<F32, Rank1> = tensor![1.0, f32::NAN];
    let b: Tensor<F32, Rank1> = tensor![f32::NAN, 2.0];
    let y: Tensor<F32, Rank1> = select(&a.is_nan(), &b, select(&b.is_nan(), &a, a.maximum(&b)));
    assert_eq!(y.to_vec(), [1.0, 2.0]);
    let y = select(&a.is_nan(), &b, select(&b.is_nan(), &a, a.minimum(&b)));
    assert_eq!(y.to_vec(), [1.0, 2.0]);
    assert_eq!(a.nan_max().item(), Ok(1.0));
}
