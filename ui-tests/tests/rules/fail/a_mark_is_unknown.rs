use supremum::MarkedUnsafe as TooFewBits;
use supremum::WidensBoth as Reason;
supremum::promotion_rules! {
    pub struct Misspelt = "misspelt";
    marks { bits: TooFewBits }
    table {
        _   => [I32, F32],
        I32 => [I32, F32^bit],
        F32 => [F32^bits, F32],
    }

    pub struct Unexplained = "unexplained";
    table {
        _   => [I32, F32],
        I32 => [I32, F32^bits],
        F32 => [F32^bits, F32],
    }
}
fn main() {}
