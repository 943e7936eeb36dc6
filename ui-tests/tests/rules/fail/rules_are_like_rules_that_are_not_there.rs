supremum::promotion_rules! {
    pub struct Misspelt = "misspelt";
    like NumPy;

    pub struct Early = "early";
    like Late;

    pub struct Late = "late";
    lattice { F32 -> F64; }

    pub struct Itself = "itself";
    extend Itself { F32 F64 => F32 }

    // Rules with faults are reported once.
    pub struct Like = "like";
    like Misspelt;
}
fn main() {}
