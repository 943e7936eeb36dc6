supremum::promotion_rules! {
    pub struct Mine = "mine";
    lattice { I32 -> F32; }
    operations {
        Add {} Subtract { Bool: Bool } Multiply {} Divide { I32: I32 } FloorDivide {} Power {} Atan2 { I32: I32 }
        MinMax {} Bitwise {} Shift {} Equality { I32: U8 } Ordering {} Join {} MatrixMultiply {}
        Negate {} Sign {} Round {} Floor {} Invert {} UnaryFloat {} Reciprocal {} Absolute {} FloatClass {}
        Sum {} CumulativeSum {} Mean {} Variance {} MinMaxReduce {} ArgMinMax { I32: F32 } AnyAll {}
    }
}
fn main() {}
