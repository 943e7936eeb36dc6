//! `vec!` repeats an element by `;`.
use supremum::{F32, Rank1, Tensor, tensor};

fn main() {
    let x: Tensor<F32, Rank1> = tensor![0.5; 10];
}
