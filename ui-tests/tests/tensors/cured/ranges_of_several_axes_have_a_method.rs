use supremum::prelude::*;

fn main() {
    let mut a: Tensor<F32, Rank2> = tensor![[1, 2, 3], [4, 5, 6]];
    let right = a.slice_axes(s![.., 1..]);
    let right = a.slice_axes(s![.., 1..]);
    a.slice_axes_mut(s![.., 1..]).fill(0.0);
}
