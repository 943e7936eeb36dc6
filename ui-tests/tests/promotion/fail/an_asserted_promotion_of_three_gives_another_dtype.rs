use supremum::{BF16, F16, I8, Jax, assert_promotes};

assert_promotes!(Jax: I8, F16, BF16 => F16);

fn main() {}
