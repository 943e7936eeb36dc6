supremum::promotion_rules! {
    pub struct Mine = "mine";
    like Jax;
    deny narrowing;
}
fn main() {}
