supremum::promotion_rules! {
    pub struct Mine = "mine";
    extend Jax {
        F16 F16 => F16;
        Bool Bool => Bool;
    }
}
fn main() {}
