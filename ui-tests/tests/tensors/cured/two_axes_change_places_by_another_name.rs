use supremum::prelude::*;

fn main() {
    let a: Tensor<F32, Rank3> = tensor![[[1.0, 2.0]]];
    let y = a.swap_axes(0, 1);
}
