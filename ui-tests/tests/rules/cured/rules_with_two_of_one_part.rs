supremum::promotion_rules! {
    pub struct Mine = "mine";
    lattice { F16 -> F32; }
}
fn main() {}
