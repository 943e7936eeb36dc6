use supremum::{F32, I64, Jax, assert_promotes};

assert_promotes!(Jax: I64, F32 => F32);

fn main() {}
