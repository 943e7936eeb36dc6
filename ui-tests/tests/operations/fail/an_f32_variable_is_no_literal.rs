use supremum::{F32, Rank2, Tensor};

fn step(weights: &Tensor<F32, Rank2>, gradient: &Tensor<F32, Rank2>, rate: f32) -> Tensor<F32, Rank2> {
    weights - gradient * rate
}

fn main() {}
