supremum::promotion_rules! {
    pub struct Mine = "mine";
    lattice { F16 -> F32; F32 -> F64; }
    zero_dim {
        _   => [F16, F32],
        F16 => [F16, F16],
        F32 => [F32, F32],
    }
}
fn main() {}
