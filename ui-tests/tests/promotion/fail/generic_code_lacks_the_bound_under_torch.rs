//! Rules other than `Jax`, and the rank, stand in the bound.
use supremum::{Floating, Rank1, Tensor, Torch};

fn twice<D: Floating>(a: &Tensor<D, Rank1, Torch>) {
    let twice = a * 2.0;
}

fn main() {}
