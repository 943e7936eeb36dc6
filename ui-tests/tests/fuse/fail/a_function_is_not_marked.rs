use supremum::{F32, Tensor, fuse, tensor};

fn squashed(x: f32) -> f32 {
    x / (1.0 + x.abs())
}

fn main() {
    let x: Tensor<F32> = tensor![1.5];
    let y = fuse!(squashed(x));
}
