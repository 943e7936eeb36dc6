supremum::promotion_rules! {
    pub struct Mine = "mine";
    table {
        _         => [I32, Weak<I64>],
        I32       => [I32, I32],
        Weak<I64> => [I32, Weak<I64>],
    }
    literals { Integer: Weak<I64>; Int: Weak<I32>; Float: Weak<f32> }
}
fn main() {}
