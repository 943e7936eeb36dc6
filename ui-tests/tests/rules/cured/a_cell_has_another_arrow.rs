supremum::promotion_rules! {
    pub struct Mine = "mine";
    like Numpy;
    cells { F16 BF16 => F32; }
}

fn main() {}
