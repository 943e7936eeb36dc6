//! Not even a dtype by its bounds: rustc would report a missing operator (E0369).
use supremum::Tensor;

fn twice<D>(x: &Tensor<D>) -> Tensor<D> {
    x + x
}

fn main() {}
