use supremum::promotion_rules;

promotion_rules! {
    pub struct Mine = "mine";
    extend Jax { I32 F32 => F64 }
}

fn main() {}
