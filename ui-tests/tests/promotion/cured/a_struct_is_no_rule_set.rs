supremum::prelude!();

supremum::promotion_rules! {
    pub struct Mine = "mine";
    like Jax;
}

fn main() {
    let x: Tensor<F32, Rank1, Mine> = tensor![1.0, 2.0];
    x.sum();
}
