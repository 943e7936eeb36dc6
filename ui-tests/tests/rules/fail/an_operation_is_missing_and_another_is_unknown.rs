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
        UnaryFloat = Divide
        Absolute {}
        Equality {}
        Ordering {}
        Sum {}
        CumulativeSum {}
        Mean = UnaryFloat
        Variance {}
        MinMaxReduce {}
        ArgMinMax {}
    }
}
fn main() {}
