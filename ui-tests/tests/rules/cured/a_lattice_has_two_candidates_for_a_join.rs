supremum::promotion_rules! {
    pub struct Mine = "mine";
    lattice {
        Bool -> U8, I8;
        U8 -> I16, F16;
        I8 -> I16, F16;
        I16 -> F16;
        F16 -> F32;
    }
}
fn main() {}
