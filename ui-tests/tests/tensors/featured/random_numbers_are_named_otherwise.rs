use core::ops::Range;
use supremum::{F32, I64, Rank2, Tensor};

fn run(shape: [usize; 2], mean: f64, std: f64, range: Range<f64>) {
    let mut rng = supremum::rand::rng();
    let weights: Tensor<F32, Rank2> = Tensor::normal(shape, mean, std, &mut rng);
    let noise: Tensor<F32, Rank2> = Tensor::uniform(shape, range, &mut rng);
    let throws: Tensor<I64, Rank2> = Tensor::integers([2, 3], 0..10, &mut rng);
}

fn main() {}
