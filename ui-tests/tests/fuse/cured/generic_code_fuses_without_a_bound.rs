use supremum::{Arithmetic, Rank1, Tensor, fuse};

fn square<D: Arithmetic>(x: &Tensor<D, Rank1>) -> Tensor<D, Rank1> {
    fuse!(x * x)
}

fn main() {}
