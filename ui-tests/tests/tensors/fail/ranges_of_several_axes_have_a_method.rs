//! The argument of `slice_axes` given to `slice`, as in ndarray, and one axis after the other to `slice_axes`.
use supremum::prelude::*;

fn main() {
    let mut a: Tensor<F32, Rank2> = tensor![[1, 2, 3], [4, 5, 6]];
    let right = a.slice(s![.., 1..]);
    let right = a.slice_axes(.., 1..);
    a.slice_mut(s![.., 1..]).fill(0.0);
}
