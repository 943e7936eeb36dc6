supremum::promotion_rules! {
    pub struct Audio = "audio";
    like supremum::Jax;
    cells { I16 F32 => F64; }
}

fn main() {}
