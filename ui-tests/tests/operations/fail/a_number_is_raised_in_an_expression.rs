//! rustc would propose the import of a trait of `num_traits`.
use supremum::prelude::*;

fn main() {
    let a: Tensor<F64, Rank1> = tensor![1.0, 3.0];
    let y: Tensor<F64, Rank1> = 2.0_f64.pow(&a);
}
