supremum::promotion_rules! {
    pub struct Mine = "mine";
    table {
        _         => [I32, F32, Weak<I64>],
        I32       => [I32, F32, I32],
        F32       => [F32, F32, F32],
        Weak<I64> => [I32, F32, Weak<I64>],
    }
    zero_dim {
        _   => [I32, F32],
        I32 => [I32, F32],
        F32 => [F32, F32],
    }
}
fn main() {}
