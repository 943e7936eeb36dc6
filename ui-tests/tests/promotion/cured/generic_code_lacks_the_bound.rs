use supremum::{Arithmetic, Tensor};

fn twice<A: Arithmetic>(a: &Tensor<A>) {
    let sum = a + a;
}

fn main() {}
