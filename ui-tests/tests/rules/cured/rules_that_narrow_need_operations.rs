supremum::promotion_rules! {
    pub struct Mine = "mine";
    lattice { I32 -> I64; }
    narrow { I64: I32 }
    operations JaxX32;
}
fn main() {}
