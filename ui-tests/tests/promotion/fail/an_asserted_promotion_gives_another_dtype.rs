use supremum::{BF16, F16, Jax, assert_promotes};

assert_promotes!(Jax: F16, BF16 => BF16);

fn main() {}
