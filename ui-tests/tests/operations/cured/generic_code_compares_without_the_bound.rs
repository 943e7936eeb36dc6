use supremum::{Arithmetic, Floating, Tensor, select};

fn relu<D: Floating>(x: &Tensor<D>) -> Tensor<D> {
    select(&x.gt(0), x, 0)
}

fn main() {}
