//! The name is what run-time messages print.
use supremum::promotion_rules;

promotion_rules! {
    pub struct Mine;

    like Jax;
}

fn main() {}
