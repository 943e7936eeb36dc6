//! NumPy's name of the position of the greatest element that is not NaN.
use supremum::prelude::*;

fn main() {
    let a: Tensor<F32, Rank1> = tensor![1.0, f32::NAN, 5.0];
    let position = a.nanargmax();
}
