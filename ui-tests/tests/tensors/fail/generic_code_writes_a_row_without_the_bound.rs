//! The rank of a part for writing is a parameter, so a missing bound is no missing method (E0599).
use supremum::{F32, Rank, Tensor};

fn clear<N: Rank>(x: &mut Tensor<F32, N>) {
    x.index_axis_mut(0, 0).fill(0.0);
    x.diagonal_mut(0, 0, 1).fill(1.0);
}

fn main() {}
