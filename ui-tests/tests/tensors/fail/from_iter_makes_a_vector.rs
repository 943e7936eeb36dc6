//! `from_iter` makes a tensor of rank 1, as `collect` does.
use supremum::{F32, Rank2, Tensor};

fn main() {
    let elements = vec![1.0_f32, 2.0, 3.0, 4.0];
    let square = Tensor::<F32, Rank2>::from_iter(elements);
}
