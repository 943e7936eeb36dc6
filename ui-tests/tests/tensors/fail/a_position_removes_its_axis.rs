//! A position of `s!` removes its axis.

use supremum::{F32, Rank2, Tensor, s};

fn main() {
    let a = Tensor::<F32, Rank2>::eye(3);
    let first: Tensor<F32, Rank2> = a.slice_axes(s![0, ..]);
}
