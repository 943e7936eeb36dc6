supremum::promotion_rules! {
    pub struct Header = "header";
    table {
        _   => [I32, F32],
        I32 => [I32, F32],
        F32 => [F32, F32],
    }
}
supremum::promotion_rules! {
    pub struct Row = "row";
    table {
        _       => [I32, F32],
        I32     => [I32, F32],
        F32 => [F32, F32],
    }
}
fn main() {}
