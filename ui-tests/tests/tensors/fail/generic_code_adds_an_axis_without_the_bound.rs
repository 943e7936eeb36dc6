//! The same of a method.
use supremum::{F32, Rank, Tensor};

fn batch<N: Rank>(sample: &Tensor<F32, N>) {
    let batch = sample.unsqueeze(0);
}

fn main() {}
