use supremum::{F32, Tensor, fuse};

fn scaled<N: supremum::Rank>(x: &Tensor<F32, N>) -> Tensor<F32, N> {
    fuse!(x * 2.0 + 1.0)
}

fn main() {}
