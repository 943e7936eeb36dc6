supremum::promotion_rules! {
    pub struct Mine = "mine";
    like Jax;
    only [F32 F64]
}
fn main() {}
