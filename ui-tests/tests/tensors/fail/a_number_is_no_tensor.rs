//! `from` converts arrays, slices, vectors and tensors.
use supremum::{F32, Rank0, Tensor};

fn main() {
    let two = Tensor::<F32, Rank0>::from(2.0);
}
