supremum::promotion_rules! {
    pub struct Mine = "mine";
    like Jax;
    deny widening;
}
fn main() {}
