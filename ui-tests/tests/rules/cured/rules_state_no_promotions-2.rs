supremum::promotion_rules! {
    pub struct Mine = "mine";
    table {
        _ => [F32],
        F32 => [F32],
    }
}
fn main() {}
