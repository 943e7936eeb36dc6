//! A part for writing is no operand on the right of a literal either.
use supremum::{F32, I64, Rank2, Tensor, tensor};

fn main() {
    let mut x: Tensor<F32, Rank2> = tensor![[1.0, 2.0]];
    let row = x.index_axis_mut(0, 0);
    let rest = 1.0 - &row;
    let mut n: Tensor<I64, Rank2> = tensor![[1, 2]];
    let twice = 2 * n.index_axis_mut(0, 0);
}
