supremum::promotion_rules! {
    pub struct Mine = "mine";
    lattice { I32 -> I64; I64 -> Weak<F64>; }
    narrow { I64: I32; U64: I32; F64: F32; C128: C64; U32: I32 }
    weak { F32: Weak<F64> }
    operations supremum::JaxX32;
}
fn main() {}
