use supremum::{Floating, I64, Jax, Rank0, Rank1, Tensor};

fn best<D: Floating + supremum::operations::ArgMinMax<Jax, Output = I64>>(scores: &Tensor<D, Rank1>) -> Tensor<I64, Rank0> {
    scores.argmax()
}

fn main() {}
