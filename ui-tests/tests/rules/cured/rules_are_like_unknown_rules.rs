supremum::promotion_rules! {
    pub struct Mine = "mine";
    like Numpy;

    pub struct Narrowed = "narrowed";
    like Jax;
    narrow { I64: F64 }
    operations supremum::JaxX32;
}
supremum::promotion_rules! {
    pub struct Again = "again";
    like Jax;
    operations supremum::Jax;
}
fn main() {}
