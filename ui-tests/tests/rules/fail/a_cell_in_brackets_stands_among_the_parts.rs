supremum::promotion_rules! {
    pub struct Half = "half";
    like Jax;
    (F16, BF16) => F32,
}
fn main() {}
