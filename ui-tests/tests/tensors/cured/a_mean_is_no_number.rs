use supremum::{F32, Rank2, Tensor};

fn average(x: &Tensor<F32, Rank2>) -> f32 {
    x.mean().into()
}

fn main() {}
