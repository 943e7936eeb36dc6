//! The same of `kron` and `cross`, whose rank is a parameter too.
use supremum::{Floating, Rank, Rank1, StaticDType, Tensor};

fn normal<D: StaticDType>(a: &Tensor<D, Rank1>, b: &Tensor<D, Rank1>) -> Tensor<D, Rank1> {
    a.cross(b, 0)
}

fn blocks<D: Floating, N: Rank>(a: &Tensor<D, N>, b: &Tensor<D, N>) -> Tensor<D, N> {
    a.kron(b)
}

fn main() {}
