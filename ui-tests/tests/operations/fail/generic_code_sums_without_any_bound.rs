use supremum::{Rank0, Tensor};

fn total<D>(x: &Tensor<D>) -> Tensor<D, Rank0> {
    x.sum()
}

fn main() {}
