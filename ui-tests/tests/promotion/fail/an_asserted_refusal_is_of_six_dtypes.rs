//! Seven dtypes have no common one because there are too many, which is no refusal by the rules.

use supremum::{I8, I64, F32, Jax, assert_refused};

assert_refused!(Jax: I8, I8, I8, I8, I8, I64, F32);

fn main() {}
