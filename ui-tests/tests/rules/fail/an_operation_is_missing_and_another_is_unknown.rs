supremum::promotion_rules! {
    pub struct Mine = "mine";
    lattice { F32 -> F64; }
    operations {
        Subtract { Bool: _ }
        Divide { Bool: F32; Bool: F64 }
        Divide {}
        Modulo {}
        FloorDivide = Remainder
        Bitwise {}
        Shift {}
        Negate {}
        Floor {}
        FloatFunction = Divide
        Absolute {}
        Equality {}
        Ordering {}
        Sum {}
        CumulativeSum {}
        Mean = FloatFunction
        Variance {}
        Extremum {}
        ExtremumIndex {}
    }
}
fn main() {}
