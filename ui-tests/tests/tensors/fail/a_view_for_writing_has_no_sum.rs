//! A view for writing has no operations but those in place.
use supremum::{F32, Rank2, Tensor, tensor};

fn main() {
    let mut x: Tensor<F32, Rank2> = tensor![[1.0, 2.0], [3.0, 4.0]];
    let row = x.index_axis_mut(0, 1);
    let y = row.sum();
}
