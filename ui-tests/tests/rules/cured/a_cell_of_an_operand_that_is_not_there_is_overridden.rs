supremum::promotion_rules! {
    pub struct Mine = "mine";
    lattice { I32 -> F32; Weak<I64> -> I32; F32 -> F64; }
    cells { I32 F64 => F64; Weak<I64> I32 => I32 }
}
fn main() {}
