//! Rules of another library, a part that stands twice, and a dtype that narrows to a weak one.
supremum::promotion_rules! {
    pub struct Mine = "mine";
    like Pandas;

    pub struct Narrowed = "narrowed";
    like Jax;
    narrow { I64: Weak<F64> }
    operations supremum::JaxX32;
}
supremum::promotion_rules! {
    pub struct Again = "again";
    like Jax;
    operations supremum::Jax;
    operations supremum::Jax;
}
fn main() {}
