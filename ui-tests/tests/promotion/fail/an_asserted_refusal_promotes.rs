use supremum::{I32, I64, Jax, assert_refused};

assert_refused!(Jax: I32, I64);

fn main() {}
