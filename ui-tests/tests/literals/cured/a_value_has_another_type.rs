use supremum::{F32, Tensor, tensor};

fn main() {
    let half = 0.5_f64;
    let halves: Tensor<F32> = tensor![half as f32, 1.5];
}
