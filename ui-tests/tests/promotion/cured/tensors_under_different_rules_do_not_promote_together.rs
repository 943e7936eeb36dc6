use supremum::{F16, F32, Jax, Numpy, Tensor, promote, tensor};

fn main() {
    let (a, b): (Tensor<F16>, Tensor<F32>) = (tensor![2.0], tensor![0.5]);
    let (a, b) = promote((&a, &b.with_rules::<Numpy>().with_rules::<Jax>()));
}
