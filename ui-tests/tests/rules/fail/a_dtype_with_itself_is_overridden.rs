supremum::promotion_rules! {
    pub struct Mine = "mine";
    extend Jax {
        F16 F16 => F32;
        Bool Bool => _;
    }
}
fn main() {}
