supremum::promotion_rules! {
    #[asymmetric]
    pub struct Mine = "mine";
    table {
        _   => [I32, F32],
        I32 => [I32, F32],
        F32 => [I32, F32],
    }
}
fn main() {}
