supremum::promotion_rules! {
    pub struct Half = "half";
    like Jax;
    cells { F16 BF16 => BF16 }
}
fn main() {}
