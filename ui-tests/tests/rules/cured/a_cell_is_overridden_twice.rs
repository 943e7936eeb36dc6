supremum::promotion_rules! {
    pub struct Mine = "mine";
    extend Jax {
        I64 F32 => F64;
    }
}
fn main() {}
