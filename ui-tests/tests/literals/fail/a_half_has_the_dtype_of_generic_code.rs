//! The first message is rustc's: a number for any `D` is no `D::Element`.
use supremum::{F32, Floating, Rank1, Tensor, tensor};

fn halve<D: Floating>(x: &Tensor<D, Rank1>) -> Tensor<D, Rank1> {
    let half: D::Element = 0.5;
    x * half
}

fn main() {
    let x: Tensor<F32, Rank1> = tensor![1.0, 2.0];
    let y = halve(&x);
}
