use supremum::{Floating, Rank1, Tensor, Torch};

fn twice<D: Floating<Torch, Rank1>>(a: &Tensor<D, Rank1, Torch>) {
    let twice = a * 2.0;
}

fn main() {}
