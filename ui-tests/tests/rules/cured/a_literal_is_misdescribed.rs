supremum::promotion_rules! {
    pub struct Mine = "mine";
    table {
        _         => [I32, Weak<I64>],
        I32       => [I32, I32],
        Weak<I64> => [I32, Weak<I64>],
    }
    literals { Int: Weak<I64>; Float: Weak<I64> }
}
fn main() {}
