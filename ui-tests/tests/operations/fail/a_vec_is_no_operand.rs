use supremum::{F32, Tensor};

fn shifted(t: &Tensor<F32>) {
    let sum = t + vec![1.0_f32, 2.0];
}

fn main() {}
