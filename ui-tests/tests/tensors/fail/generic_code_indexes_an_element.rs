use supremum::{F32, Rank, Tensor};

fn first<N: Rank>(x: &Tensor<F32, N>) -> Option<f32> {
    Some(x[[0]])
}

fn main() {}
