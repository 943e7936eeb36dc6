use supremum::{Arithmetic, Jax, Rank1, Tensor, operations};

fn total<D: Arithmetic + operations::Sum<Jax>>(x: &Tensor<D, Rank1>) -> D::Element {
    x.sum().cast::<D>().item().unwrap()
}

fn main() {}
