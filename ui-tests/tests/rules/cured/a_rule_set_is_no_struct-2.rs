supremum::promotion_rules! {
    pub struct Mine = "mine";
    like Jax; cells { I64 F32 => F64 }
}

fn main() {}
