use supremum::{F32, Jax, JaxStrict, Rank1, Tensor, tensor};

fn main() {
    let a: Tensor<F32, Rank1> = tensor![1.0];
    let b: Tensor<F32, Rank1, JaxStrict> = tensor![1.0];
    let sum = a.try_add(&b.with_rules::<Jax>());
}
