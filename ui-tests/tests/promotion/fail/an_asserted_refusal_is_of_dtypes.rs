//! An element type is no dtype, and would count as refused.

use supremum::{F32, I64, Jax, assert_refused};

assert_refused!(Jax: i64, F32);

fn main() {}
