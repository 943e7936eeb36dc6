//! A `usize` decides neither the dtype nor the rank.
use supremum::Tensor;

fn main() {
    let n = 3_usize;
    let weights = Tensor::full([n, n], 1.0);
}
