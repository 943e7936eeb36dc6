//! rustc would say that `-=` cannot be applied, and not why.
use supremum::{F32, Rank1, Tensor, tensor};

fn step(x: &Tensor<F32, Rank1>, gradient: &Tensor<F32, Rank1>) {
    x -= gradient * 0.1;
}

fn main() {
    let mut x: Tensor<F32, Rank1> = tensor![1.0];
    let gradient: Tensor<F32, Rank1> = tensor![0.5];
    step(&x, &gradient);
}
