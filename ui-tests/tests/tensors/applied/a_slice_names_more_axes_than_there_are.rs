use supremum::prelude::*;

fn main() {
    let t: Tensor<F32, Rank2> = tensor![[1.0, 2.0]];
    let _ = (t.slice_axes(s![.., ..;2]), t.slice_axes(s![.., 0]));
}
