use supremum::{F32, Rank1, Tensor};

fn powers(x: &Tensor<F32, Rank1>) -> Tensor<F32, Rank1> {
    x.exp()
}

fn main() {}
