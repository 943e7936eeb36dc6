mod systems {
    supremum::promotion_rules! {
        pub struct Closed = "closed";
        lattice { F32 -> F64; }
    }
}
supremum::promotion_rules! {
    pub struct Mine = "mine";
    like crate::systems::Closed;
}
fn main() {}
