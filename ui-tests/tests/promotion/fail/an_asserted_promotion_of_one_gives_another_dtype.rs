//! A single dtype promotes with itself, and the assertion expects another one.

use supremum::{I8, I16, Jax, assert_promotes};

assert_promotes!(Jax: I8 => I16);

fn main() {}
