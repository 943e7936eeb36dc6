use supremum::{F32, F64, Rank1, Tensor, tensor};

supremum::promotion_rules! { pub struct Mine = "mine"; like Jax; }

fn main() {
    let a: Tensor<F32, Rank1> = tensor![1.0];
    let b = a.with_rules::<Mine>();
}
