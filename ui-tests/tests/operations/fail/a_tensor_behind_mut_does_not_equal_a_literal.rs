//! A tensor behind `&mut` does not compare with a literal by `==`.

use supremum::{F32, Tensor};

fn is_one(t: &mut Tensor<F32>) -> bool {
    t == 1.0
}

fn main() {}
