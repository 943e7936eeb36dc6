supremum::promotion_rules! {
    pub struct Mine = "mine";
    lattice { F32 -> F64; }
    operations {
        Add under KeepsBase {}
        Subtract {} Multiply {} Divide {} FloorDivide {} Power under KeepsBase {} Arctangent {} Minimum {}
        Bitwise {} Shift {} Equality {} Ordering {} Join {} MatrixMultiply {}
        Negate {} Sign {} Round {} Floor {} Invert {} FloatFunction {} Reciprocal {} Absolute {} Classify {}
        strong Sum under supremum::Jax {}
        CumulativeSum {} Mean {} Variance {} Extremum {} ExtremumIndex {} AnyAll {}
    }
}
fn main() {}
