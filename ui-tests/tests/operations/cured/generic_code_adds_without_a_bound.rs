use supremum::{Arithmetic, Tensor};

fn twice<D: Arithmetic>(x: &Tensor<D>) -> Tensor<D> {
    x + x
}

fn main() {}
