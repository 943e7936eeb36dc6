use supremum::{F32, F64, Rank1, Tensor, promotion_rules, tensor};

promotion_rules! {
    /// The dtypes that the device computes in.
    pub struct Device = "device";
    like Jax;
    only [F16 BF16 F32]
}

fn main() {
    let a: Tensor<F32, Rank1, Device> = tensor![0.5];
    let b: Tensor<F64, Rank1, Device> = tensor![0.5];
    let sum = a.cast::<F32>() + b.cast::<F32>();
}
