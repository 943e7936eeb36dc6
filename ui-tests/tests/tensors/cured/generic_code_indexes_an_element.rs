use supremum::{F32, Rank, Tensor};

fn first<N: Rank>(x: &Tensor<F32, N>) -> Option<f32> {
    x.get(&[0])
}

fn main() {}
