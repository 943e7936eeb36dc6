supremum::promotion_rules! {
    pub struct Mine = "mine";
    lattice { I32 -> F32; }
    operations {
        Add {} Subtract { Bool: I32 } Multiply {} Divide {} FloorDivide {} Power {} Atan2 {}
        MinMax {} Bitwise {} Shift {} Equality { I32: Bool } Ordering {} Join {} MatrixMultiply {}
        Negate {} Sign {} Round {} Floor {} Invert {} UnaryFloat {} Reciprocal {} Absolute {} FloatClass {}
        Sum {} CumulativeSum {} Mean {} Variance {} MinMaxReduce {} ArgMinMax {} AnyAll {}
    }
}
fn main() {}
