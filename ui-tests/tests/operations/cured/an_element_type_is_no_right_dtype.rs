use supremum::{F32, Rank1, Tensor};

fn shifted(x: &Tensor<F32, Rank1>, by: &Tensor<F32, Rank1>) -> Tensor<F32, Rank1> {
    x + by
}

fn main() {}
