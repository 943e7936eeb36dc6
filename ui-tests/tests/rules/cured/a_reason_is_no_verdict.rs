use supremum::{StaticVerdict, Verdict};

pub struct TooFewBits;

impl StaticVerdict for TooFewBits {
    const VERDICT: Verdict = Verdict::Refused("..");
}
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
