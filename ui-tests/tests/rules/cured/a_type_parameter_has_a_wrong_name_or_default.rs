supremum::promotion_rules! {
    pub struct NamedAsADType<U64Target = F64> = "named-as-a-dtype";
    lattice { I64 -> F64; }

    pub struct Weakly<Target = F64> = "weakly";
    lattice { I64 -> F64; }

    pub struct Unknown<Target = F64> = "unknown";
    lattice { I64 -> F64; }

    pub struct Renamed<U64Target = F32> = "renamed";
    extend OpenVino { I8 U8 => I8 }
}
fn main() {}
