use supremum::promotion_rules;

promotion_rules! {
    pub struct Mine = "mine";
    lattice { Weak<F64> -> Float; F16 -> F32; }
    weak { Float: Weak<F64>; }
    only [Float]
    operations JaxX32;
}

fn main() {}
