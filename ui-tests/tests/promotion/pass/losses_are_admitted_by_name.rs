use supremum::prelude::*;

fn main() {
    let counts: Tensor<I64> = tensor![1, 2, 3];
    let weights: Tensor<F32> = tensor![0.5, 0.25, 0.125];
    let _: Tensor<F32> = counts.promote_unsafe() * &weights;
    let _: Tensor<F32> = &weights * counts.promote_unsafe();
    let _: Tensor<F32> = counts.cast::<F32>() * &weights;
    let all: Tensor<F32, _, AllowUnsafe<Jax>> = counts.with_rules() * weights.with_rules::<AllowUnsafe<Jax>>();
    let _: Tensor<F32> = all.with_rules();
}
