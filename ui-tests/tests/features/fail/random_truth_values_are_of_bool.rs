//! Random truth values are of `Bool`.
use supremum::{F32, Rank2, Tensor, rand};

fn main() {
    let mut rng = rand::rng();
    let kept: Tensor<F32, Rank2> = Tensor::<F32, Rank2>::bernoulli([2, 3], 0.9, &mut rng);
}
