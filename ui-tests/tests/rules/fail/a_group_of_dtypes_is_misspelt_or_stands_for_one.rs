use supremum::promotion_rules;

promotion_rules! {
    pub struct Mine = "mine";
    lattice { Weak<F64> -> Floats; F16 -> F32; }
    weak { Float: Weak<Float>; float: Weak<F64> }
    only [Float F16]
}

fn main() {}
