supremum::promotion_rules! {
    pub struct Mine = "mine";
    like Jax;
    weak { I32: Weak<I64> }
}
fn main() {}
