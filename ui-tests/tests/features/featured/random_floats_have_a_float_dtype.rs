use supremum::{F32, I32, Rank2, Tensor, rand};

fn noise<D: supremum::FloatDType>() -> Tensor<D, Rank2> {
    Tensor::normal([2, 3], 0.0, 1.0, &mut rand::rng())
}

fn main() {
    let rounded: Tensor<I32, Rank2> = noise::<F32>().cast::<I32>();
}
