use supremum::{F16, F32, Tensor, f16, tensor};

fn main() {
    let half = 0.5_f32;
    let halves: Tensor<F16> = tensor![f16::from_f32(half), 1.5];
}
