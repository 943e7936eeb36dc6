supremum::promotion_rules! {
    pub struct Mine = "mine";
    like Jax;
    only [F32 F64 F32 Weak<F64> Float32]
}
fn main() {}
