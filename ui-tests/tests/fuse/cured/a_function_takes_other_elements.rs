use supremum::{F16, F32, Tensor, elementwise, fuse, tensor};

elementwise! {
    fn squashed(x: f32) -> f32 {
        x / (1.0 + x.abs())
    }
}

fn main() {
    let x: Tensor<F16> = tensor![1.5];
    let y = fuse!(squashed(x.cast::<F32>()));
}
