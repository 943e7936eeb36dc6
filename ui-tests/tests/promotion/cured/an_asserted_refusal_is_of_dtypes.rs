use supremum::{F32, I64, Jax, assert_refused};

assert_refused!(Jax: I64, F32);

fn main() {}
