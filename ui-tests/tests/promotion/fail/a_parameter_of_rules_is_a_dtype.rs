//! The type of an element in the place of a dtype, in the parameter of rules.
use supremum::{F32, OpenVino, Rank1, Tensor, tensor};

fn main() {
    let a: Tensor<F32, Rank1> = tensor![1.0];
    let b = a.with_rules::<OpenVino<f64>>();
}
