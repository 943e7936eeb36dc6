supremum::promotion_rules! {
    pub struct Mine = "mine";
    like Jax;
    safety: marks;
}
fn main() {}
