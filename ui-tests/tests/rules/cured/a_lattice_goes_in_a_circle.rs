supremum::promotion_rules! {
    pub struct Mine = "mine";
    lattice {
        U8 -> I16;
        I16 -> I32;
        I32 -> F32, F64;
    }
}
fn main() {}
