supremum::promotion_rules! {
    pub struct Mine = "mine";
    weak { I32: Weak<I64> }

    pub struct Other = "other";
    like Jax;
}
fn main() {}
