supremum::promotion_rules! {
    pub struct Mine = "mine";
    like Jax;
    safety: strict;
}
fn main() {}
