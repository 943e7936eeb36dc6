supremum::promotion_rules! {
    pub struct Mine = "mine";
    like Jax;
    safety: values;
}
fn main() {}
