use supremum::{BF16, F32, F8E4M3FN, Jax, assert_refused};

assert_refused!(Jax: F8E4M3FN, BF16);

fn main() {}
