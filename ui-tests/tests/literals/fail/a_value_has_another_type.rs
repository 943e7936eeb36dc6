//! Values that are not literals have the type of the tensor's elements.
use supremum::{F32, Tensor, tensor};

fn main() {
    let half = 0.5_f64;
    let halves: Tensor<F32> = tensor![half, 1.5];
}
