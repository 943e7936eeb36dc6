use supremum::{Floating, Rank0, Tensor};

fn total<D: Floating>(x: &Tensor<D>) -> Tensor<D, Rank0> {
    x.sum()
}

fn main() {}
