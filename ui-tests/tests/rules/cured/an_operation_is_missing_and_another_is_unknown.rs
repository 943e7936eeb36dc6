supremum::promotion_rules! {
    pub struct Mine = "mine";
    lattice { F32 -> F64; }
    operations {
        Subtract { Bool: _ }
        Divide { Bool: F32 }
        FloorDivide = Add
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
        Mean = Divide
        Variance {}
        MinMaxReduce {}
        ArgMinMax {}
        Add {} Multiply {} Power {} Atan2 {} MinMax {} Join {} MatrixMultiply {} Sign {} Round {} Invert {} Reciprocal {} FloatClass {} AnyAll {}
    }
}
fn main() {}
