supremum::promotion_rules! {
    pub struct Mine<Target = F32> = "mine";
    table {
        _   => [I64,           U64],
        I64 => [I64,           unsafe Target],
        U64 => [unsafe Target, U64],
    }
}
fn main() {}
