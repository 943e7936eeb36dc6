supremum::promotion_rules! {
    pub struct Mine = "mine";
    table {
        _   => [I32, I64, F64],
        I32 => [I32, I64,   F64],
        I64 => [I64, I64, F64],
        F64 => [F64, F64,   F64],
    }
}
fn uses_the_rules<R: supremum::Rules>() {}
const _: fn() = uses_the_rules::<Mine>;
fn main() {}
