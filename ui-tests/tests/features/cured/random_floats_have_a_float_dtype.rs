use supremum::{I32, Rank2, Tensor, rand};

fn main() {
    let mut rng = rand::rng();
    let noise: Tensor<I32, Rank2> = Tensor::integers([2, 3], 0..10, &mut rng);
}
