use supremum::static_assertions::assert_type_eq_all;
use supremum::{Promoted, promotion_rules};

promotion_rules! {
    /// A function's own rules would do as well.
    #[law(commutative, associative)]
    pub struct Floats = "floats";
    lattice {
        F16 -> F32;
        BF16 -> F32;
    }
}

fn main() {
    promotion_rules! {
        struct Local = "local";
        lattice { F32 -> F64; }
    }
    assert_type_eq_all!(Promoted<supremum::F16, supremum::BF16, Floats>, supremum::F32);
    assert_type_eq_all!(Promoted<supremum::F32, supremum::F64, Local>, supremum::F64);
}
