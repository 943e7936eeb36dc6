supremum::assert_promotes!(Jax, F16, BF16, F32);
supremum::assert_promotes!(Jax: F16 + BF16 => F32);

fn main() {}
