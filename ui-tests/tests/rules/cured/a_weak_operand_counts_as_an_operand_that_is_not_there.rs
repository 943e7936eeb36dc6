supremum::promotion_rules! {
    pub struct Mine = "mine";
    lattice { Weak<I64> -> I32; I32 -> I64; }
    weak { I32 I64: Weak<I64>; F32: I32 }
}
fn main() {}
