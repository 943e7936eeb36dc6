use supremum::{Floating, Numpy, Rank1, Tensor};

fn negative<D: Floating<Numpy, Rank1>>(a: &Tensor<D, Rank1, Numpy>) {
    let negative = a.lt(0.0);
}

fn main() {}
