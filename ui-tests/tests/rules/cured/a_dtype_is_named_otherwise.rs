supremum::promotion_rules! {
    pub struct Device = "device";
    like Jax;
    only [F16 F32 F64]
}
fn main() {}
