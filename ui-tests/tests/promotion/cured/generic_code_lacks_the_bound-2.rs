use supremum::{Floating, Tensor};

fn twice<A: Floating>(a: &Tensor<A>) {
    let sum = a + a;
}

fn main() {}
