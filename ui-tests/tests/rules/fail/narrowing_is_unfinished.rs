supremum::promotion_rules! {
    pub struct Mine = "mine";
    lattice { I32 -> I64; I64 -> Weak<F64>; }
    narrow { I64: I32; U64: I64; F64: F32; Weak<C128>: C64; U32: _ }
    operations supremum::JaxX32;
}
fn main() {}
