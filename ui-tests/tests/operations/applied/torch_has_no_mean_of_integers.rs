use supremum::{F32, I32, Jax, Rank1, Tensor, promotion_rules, tensor};

promotion_rules! {
    pub struct Device = "device";
    like Jax;
    only [I8 I16 I32]
}

fn main() {
    let counts: Tensor<I32, Rank1, Device> = tensor![1, 2];
    let mean = counts.cast::<F32>().with_rules::<Jax>().mean();
    let growth = counts.cast::<F32>().with_rules::<Jax>().exp();
}
