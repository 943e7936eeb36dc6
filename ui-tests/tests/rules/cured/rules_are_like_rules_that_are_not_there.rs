supremum::promotion_rules! {
    pub struct Misspelt = "misspelt";
    like Numpy;


    pub struct Late = "late";
    lattice { F32 -> F64; }
    pub struct Early = "early";
    like Late;

    pub struct Itself = "itself";
    extend Late { F32 F64 => F32 }

    // Rules with faults are reported once.
    pub struct Like = "like";
    like Misspelt;
}
fn main() {}
