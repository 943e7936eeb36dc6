use supremum::{I32, Rank1, Tensor, promotion_rules};

promotion_rules! {
    /// A device that compares, joins and classifies integers and floats.
    pub struct Mine = "mine";
    lattice { I32 -> F32; }
    operations {
        Add {} Subtract {} Multiply {} Divide { I32: F32 } FloorDivide {} Power {} Atan2 = Divide MinMax {} Bitwise {} Shift {}
        Equality { I32 F32: Bool } Ordering = Equality Join {} MatrixMultiply {} Negate {} Sign {} Round {} Floor {}
        Invert {} UnaryFloat = Divide Reciprocal = Divide Absolute {} FloatClass = Equality Sum {} CumulativeSum {} Mean = Divide
        Variance = Divide MinMaxReduce {} ArgMinMax { I32 F32: I32 } AnyAll { I32 F32: Bool }
    }
}

fn main() {
    let x = Tensor::<I32, Rank1, Mine>::ones([3]);
    let a = x.equal(&x);
    let b = x.concat(&x, 0);
    let c = x.is_nan();
    let d = x.any();
}
