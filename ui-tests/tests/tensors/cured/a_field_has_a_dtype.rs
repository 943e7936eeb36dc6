use supremum::{F32, Rank2, Tensor};

struct Linear {
    weight: Tensor<F32, Rank2>,
}

fn main() {}
