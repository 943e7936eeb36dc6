use supremum::prelude::*;

fn main() {
    let a: Tensor<F32, Rank1> = tensor![1.0, f32::NAN, 5.0];
    let position = select(&a.is_nan(), f64::NEG_INFINITY, &a).argmax();
}
