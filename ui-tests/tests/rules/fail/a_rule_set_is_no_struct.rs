//! A rule set without `struct`.
supremum::promotion_rules! {
    pub Mine: Jax;
}

fn main() {}
