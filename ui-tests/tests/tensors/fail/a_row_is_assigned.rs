//! A row is no element of a matrix.
use supremum::prelude::*;

fn main() {
    let x: Tensor<F32, Rank2> = tensor![[1.0, 2.0], [3.0, 4.0]];
    let mut halves = x.zeros_like();
    for i in 0..2 {
        let row = x.index_axis(0, i) / 2.0;
        halves[i] = row;
    }
    assert_eq!(halves.to_vec(), [0.5, 1.0, 1.5, 2.0]);
}
