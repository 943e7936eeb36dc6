//! The header of a table has a dtype twice.
supremum::promotion_rules! {
    pub struct Twice = "twice";
    table {
        _   => [F32, F64, F64],
        F32 => [F32, F64, F64],
        F64 => [F64, F64, F64],
    }
}
fn main() {}
