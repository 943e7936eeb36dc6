supremum::promotion_rules! {
    #[law(commutative, associative)]
    pub struct Mine = "mine";
    lattice {
        I8 -> F32;
        F32 -> F64;
    }
}

supremum::promotion_rules! {
    #[law(commutative)]
    pub struct Other = "other";
    table {
        _   => [I8,  U16, I32, F32, F64],
        I8  => [I8,  I32, I32, F32, F64],
        U16 => [I32, U16, I32, F32, F64],
        I32 => [I32, I32, I32, F64, F64],
        F32 => [F32, F32, F64, F32, F64],
        F64 => [F64, F64, F64, F64, F64],
    }
}
fn main() {}
