supremum::promotion_rules! {
    pub struct Mine = "mine";
    extend ArrayApi {
        I32 F32 => F32;
    }

    pub struct Small = "small";
    extend Jax { }
    only [F16 BF16]
}
fn main() {}
