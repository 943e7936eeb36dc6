supremum::promotion_rules! {
    pub struct Mine = "mine";
    lattice { I32 -> F32; }
    operations {
        Add {} Subtract { Bool: Bool } Multiply {} Divide { I32: I32 } FloorDivide {} Power {} Arctangent { I32: I32 }
        Minimum {} Bitwise {} Shift {} Equality { I32: U8 } Ordering {} Join {} MatrixMultiply {}
        Negate {} Sign {} Round {} Floor {} Invert {} FloatFunction {} Reciprocal {} Absolute {} Classify {}
        Sum {} CumulativeSum {} Mean {} Variance {} Extremum {} ExtremumIndex { I32: F32 } AnyAll {}
    }
}
fn main() {}
