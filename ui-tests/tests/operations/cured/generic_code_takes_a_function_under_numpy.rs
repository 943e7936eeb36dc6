use supremum::{Floating, Numpy, Rank1, Tensor};

fn growth<D: Floating<Numpy, Rank1>>(a: &Tensor<D, Rank1, Numpy>) {
    let growth = a.exp();
}

fn main() {}
