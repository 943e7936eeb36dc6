use supremum::{BF16, F32, F8E4M3FN, Jax, assert_promotes};

assert_promotes!(Jax: F8E4M3FN, BF16 => F32);

fn main() {}
