use supremum::promotion_rules;

promotion_rules! {
    pub struct Mine = "name";

    like Jax;
}

fn main() {}
