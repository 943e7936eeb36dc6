use supremum::{F32, I64, Jax};

supremum::assert_refused!(Jax: I64, F32);

fn main() {}
