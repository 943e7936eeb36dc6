use supremum::{F32, Rank1, Tensor};

fn step(x: &Tensor<F32, Rank1>, gradient: &Tensor<F32, Rank1>) {
    let y = x + gradient * -0.1;
}

fn main() {}
