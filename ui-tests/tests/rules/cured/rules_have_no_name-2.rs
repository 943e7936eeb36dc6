use supremum::promotion_rules;

promotion_rules! {
    pub struct Mine = "name";

    like Jax; cells { I64 F32 => F64 }
}

fn main() {}
