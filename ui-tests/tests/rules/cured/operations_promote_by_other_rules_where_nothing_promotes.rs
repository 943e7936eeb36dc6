supremum::promotion_rules! {
    pub struct Mine = "mine";
    lattice { F32 -> F64; }
    operations {
        Add {}
        Subtract {} Multiply {} Divide {} FloorDivide {} Power under PowKeepsBase {} Atan2 {} MinMax {}
        Bitwise {} Shift {} Equality {} Ordering {} Join {} MatrixMultiply {}
        Negate {} Sign {} Round {} Floor {} Invert {} UnaryFloat {} Reciprocal {} Absolute {} FloatClass {}
        strong Sum {}
        CumulativeSum {} Mean {} Variance {} MinMaxReduce {} ArgMinMax {} AnyAll {}
    }
}
fn main() {}
