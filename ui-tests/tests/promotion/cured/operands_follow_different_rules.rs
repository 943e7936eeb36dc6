use supremum::{F32, Jax, JaxStrict, Tensor, tensor};

fn main() {
    let a: Tensor<F32> = tensor![1.0];
    let b: Tensor<F32> = tensor![1.0];
    let sum = a + b.with_rules::<JaxStrict>().with_rules::<Jax>();
}
