supremum::promotion_rules! {
    pub struct Mine = "mine";
    lattice { F16 -> F32; }
    table { _ => [F16], F16 => [F16] }
}
fn main() {}
