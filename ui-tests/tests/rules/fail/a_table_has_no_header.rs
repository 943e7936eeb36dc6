//! A table without a header.
supremum::promotion_rules! {
    pub struct Headless = "headless";
    table {
        F32 => [F32, F64],
        F64 => [F64, F64],
    }
}
fn main() {}
