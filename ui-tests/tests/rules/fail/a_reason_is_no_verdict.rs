pub struct TooFewBits;
supremum::promotion_rules! {
    pub struct Mine = "mine";
    marks { bits: TooFewBits }
    table {
        _   => [I32, F32],
        I32 => [I32, F32^bits],
        F32 => [F32^bits, F32],
    }
}
fn main() {}
