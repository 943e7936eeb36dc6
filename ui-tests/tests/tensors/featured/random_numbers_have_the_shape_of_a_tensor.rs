use supremum::{F32, Rank2, Tensor, rand};

fn run(a: &Tensor<F32, Rank2>) {
    let mut rng = rand::rng();
    let noise: Tensor<F32, Rank2> = Tensor::normal(a.sizes(), 0.0, 1.0, &mut rng);
    let weights: Tensor<F32, Rank2> = Tensor::uniform(a.sizes(), 0.0..1.0, &mut rng);
}

fn main() {}
