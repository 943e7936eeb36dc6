supremum::promotion_rules! {
    pub struct Mine = "mine";
    lattice { F16 -> F32; F32 -> F64; }
    zero_dim {
        _   => [F16, F32, F64],
        F16 => [F16, F16, _],
        F32 => [F32, F32, _],
        F64 => [_, _, F64],
    }
}
fn main() {}
