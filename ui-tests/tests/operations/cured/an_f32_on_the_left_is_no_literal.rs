use supremum::{F32, Rank0, Rank2, Tensor};

fn rest(x: &Tensor<F32, Rank2>, step: &Tensor<F32, Rank0>, whole: f32) -> Tensor<F32, Rank2> {
    (Tensor::<F32, Rank0, _>::scalar(whole) - x) / step
}

fn main() {}
