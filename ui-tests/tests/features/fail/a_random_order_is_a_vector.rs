//! A random order is a vector of integers, and rows are shuffled by another method.
use supremum::{I64, Rank2, Tensor, rand};

fn main() {
    let mut rng = rand::rng();
    let order: Tensor<I64, Rank2> = Tensor::<I64, Rank2>::permutation(5, &mut rng);
}
