//! A function of elements that has the name of a method.
use supremum::{F32, Rank1, Tensor, elementwise, fuse, tensor};

elementwise! {
    fn gelu(x: f32) -> f32 {
        x / (1.0 + (-1.702 * x).exp())
    }
}

fn main() {
    let x: Tensor<F32, Rank1> = tensor![1.0, -2.0];
    let y = fuse!(gelu(x));
}
