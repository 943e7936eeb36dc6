//! The product of integers and a float literal is a float.

use supremum::{I32, Tensor, tensor};

fn main() {
    let mut pixels: Tensor<I32> = tensor![10, 20];
    pixels *= 0.5;
}
