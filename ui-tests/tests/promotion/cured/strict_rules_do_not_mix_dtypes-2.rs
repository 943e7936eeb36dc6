use supremum::{F32, F64, Jax, JaxStrict, Rank1, Tensor, tensor};

fn main() {
    let a: Tensor<F32, Rank1, JaxStrict> = tensor![1.0];
    let b: Tensor<F64, Rank1, JaxStrict> = tensor![1.0];
    let sum = a.with_rules::<Jax>() + b.with_rules::<Jax>();
}
