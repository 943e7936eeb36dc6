supremum::promotion_rules! {
    pub struct Mine = "mine";
    lattice { I32 -> I64; F16 -> F32; }
    only [I32 I64]
    operations JaxX32;
}
fn main() {}
