supremum::promotion_rules! {
    pub struct Mine = "mine";
    lattice { I32 -> I64; }
    weak { I32 I64: Weak<I64>; Weak<F32>: I32; I32: I64 }
}
fn main() {}
