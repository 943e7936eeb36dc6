supremum::promotion_rules! {
    pub struct Mine = "mine";

    extend supremum::Jax { F16, BF16 => F16; }
}

fn main() {}
