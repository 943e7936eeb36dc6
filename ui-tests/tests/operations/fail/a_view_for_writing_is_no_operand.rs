//! A view for writing has no operators but those in place.

use supremum::{F32, Tensor, TensorViewMut};

fn product(v: TensorViewMut<'_, F32>) -> Tensor<F32> {
    &v * 2.0
}

fn is_one(v: TensorViewMut<'_, F32>) -> bool {
    v == 1.0
}

fn main() {}
