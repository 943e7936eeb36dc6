//! Numbers of a normal distribution are no integers.
use supremum::{I32, Rank2, Tensor, rand};

fn main() {
    let mut rng = rand::rng();
    let noise: Tensor<I32, Rank2> = Tensor::normal([2, 3], 0.0, 1.0, &mut rng);
}
