use supremum::{F32, Rank2, Tensor, rand};

fn main() {
    let mut rng = rand::rng();
    let noise: Tensor<F32, Rank2> = Tensor::<F32, Rank2>::uniform([2, 3], 0.0..1.0, &mut rng);
}
