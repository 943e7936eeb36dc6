use supremum::{F32, Numpy, Rank1, Tensor};

fn add(a: &Tensor<F32, Rank1, Numpy>, b: &Tensor<F32, Rank1, Numpy>) {
    let sum = a + b;
}

fn main() {}
