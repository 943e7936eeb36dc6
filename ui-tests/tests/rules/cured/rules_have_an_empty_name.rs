use supremum::promotion_rules;

promotion_rules! {
    pub struct Nameless = "name";
    lattice { F16 -> F32; }
}

fn main() {}
