supremum::promotion_rules! {
    pub struct Headless = "headless";
    table {
        _   => [F32, F64],
        F32 => [F32, F64],
        F64 => [F64, F64],
    }
}
fn main() {}
