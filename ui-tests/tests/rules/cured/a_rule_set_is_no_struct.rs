use supremum::Jax;

supremum::promotion_rules! {
    pub struct Mine = "mine";
    like Jax;
}

fn main() {}
