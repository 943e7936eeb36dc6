supremum::promotion_rules! {
    pub struct NamedAsADType<F32 = F64> = "named-as-a-dtype";
    lattice { I64 -> F64; }

    pub struct Weakly<Target = Weak<F64>> = "weakly";
    lattice { I64 -> F64; }

    pub struct Unknown<Target = float64> = "unknown";
    lattice { I64 -> F64; }

    pub struct Renamed<Target = F32> = "renamed";
    extend OpenVino { I8 U8 => I8 }
}
fn main() {}
