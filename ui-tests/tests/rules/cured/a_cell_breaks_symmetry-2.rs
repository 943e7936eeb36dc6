supremum::promotion_rules! {
    pub struct Mine = "mine";
    table {
        _   => [I32, F32, F64],
        I32 => [I32, F64, F64],
        F32 => [F64, F32, F64],
        F64 => [F64, F64, F64],
    }
}
fn main() {}
