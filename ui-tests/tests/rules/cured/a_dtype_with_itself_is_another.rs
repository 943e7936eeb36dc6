supremum::promotion_rules! {
    pub struct Mine = "mine";
    table {
        _   => [F16, F32],
        F16 => [F16, F32],
        F32 => [F32, F32],
    }
}
fn main() {}
