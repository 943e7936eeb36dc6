supremum::promotion_rules! {
    pub struct Mine = "mine";
    weak { I32: Weak<I64> }
}
fn main() {}
