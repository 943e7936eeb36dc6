//! All of the line is in the prelude, which names what messages print.
supremum::prelude!();
use supremum::{F32, Tensor};

fn main() {
    let x: Tensor<F32> = tensor![1.0, 2.0];
}
