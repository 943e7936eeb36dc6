use supremum::{BF16, F16, F32, Jax};

supremum::assert_promotes!(Jax: F16, BF16 => F32);
supremum::assert_promotes!(Jax: F16, BF16 => F32);

fn main() {}
