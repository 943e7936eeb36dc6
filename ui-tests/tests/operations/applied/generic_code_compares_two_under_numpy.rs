use supremum::{Arithmetic, Floating, Numpy, Rank, Rank1, Tensor};

fn halves<D: Floating<Numpy>>(a: &Tensor<D, Rank1, Numpy>) -> Tensor<D, Rank1, Numpy> {
    a / 2
}

fn squares<D: Arithmetic<Numpy>>(a: &Tensor<D, Rank1, Numpy>) -> Tensor<D, Rank1, Numpy> {
    a * a
}

fn quarters<D: Floating<Numpy, N>, N: Rank>(a: &Tensor<D, N, Numpy>) -> Tensor<D, N, Numpy> {
    a / 4
}

fn main() {}
