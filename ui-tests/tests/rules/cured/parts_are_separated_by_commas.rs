supremum::promotion_rules! {
    pub struct Mine = "mine";
    like Jax;
}

supremum::promotion_rules! {
    pub struct Wide = "wide";
    like Jax;
    cells { I64 F32 => F64 }
}

fn main() {}
