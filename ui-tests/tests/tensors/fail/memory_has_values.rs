//! NumPy's name of memory without values. rustc would propose `is_empty`.
use supremum::{F32, Rank2, Tensor};

fn main() {
    let x: Tensor<F32, Rank2> = Tensor::empty([2, 3]);
}
