use supremum::promotion_rules;

promotion_rules! {
    pub struct Mine = "mine";
    like Jax;
}

fn main() {}
