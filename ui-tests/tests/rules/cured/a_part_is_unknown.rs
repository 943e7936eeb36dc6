supremum::promotion_rules! {
    pub struct Mine = "mine";
    lattice { I32 -> I64; }
}
fn uses_the_rules<R: supremum::Rules>() {}
const _: fn() = uses_the_rules::<Mine>;
fn main() {}
