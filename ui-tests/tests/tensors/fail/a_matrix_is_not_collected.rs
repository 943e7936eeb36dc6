//! `collect` knows no shape.
use supremum::{F32, Rank2, Tensor};

fn main() {
    let numbers = [1.0, 2.0, 3.0, 4.0];
    let matrix: Tensor<F32, Rank2> = numbers.into_iter().collect();
}
