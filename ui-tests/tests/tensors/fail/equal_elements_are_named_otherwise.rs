//! ndarray's name of `full`. rustc would propose `from_iter`.
use supremum::{F32, Rank2, Tensor};

fn main() {
    let x: Tensor<F32, Rank2> = Tensor::from_elem((2, 3), 0.5);
}
