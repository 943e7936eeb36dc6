use supremum::{F32, I32, Jax, Rank1, Tensor, promotion_rules, tensor};

promotion_rules! {
    /// The dtypes that the device computes in.
    pub struct Device = "device";
    like Jax;
    only [I8 I16 I32]
}

fn main() {
    let a: Tensor<I32, Rank1, Device> = tensor![1, 2];
    let quotient =
        &a.cast::<F32>().with_rules::<Jax>() / &a.cast::<F32>().with_rules::<Jax>();
}
