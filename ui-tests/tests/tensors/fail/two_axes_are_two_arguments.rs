//! An array of axes where two are meant, and single axes where an array is.
use supremum::prelude::*;

fn main() {
    let a: Tensor<F32, Rank2> = tensor![[1, 2, 3], [4, 5, 6]];
    let t = a.swap_axes([0, 1]);
    let f = a.flip(0, 1);
    let x = a.get(0, 1).expect("an element");
}
