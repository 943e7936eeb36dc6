use supremum::prelude::*;

fn main() {
    let a: Tensor<F32, Rank1> = tensor![1.0, f32::NAN];
    let b: Tensor<F32, Rank1> = tensor![f32::NAN, 2.0];
    let y: Tensor<F32, Rank1> = select(&a.is_nan(), &b, select(&b.is_nan(), &a, a.maximum(&b)));
}
