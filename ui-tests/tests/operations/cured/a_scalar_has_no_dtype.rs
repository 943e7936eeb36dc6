supremum::prelude!();

fn main() {
    let weights: Tensor<F32, Rank1> = tensor![1.0, 2.0];
    let rate: f32 = 0.5;
    let step = &weights * Tensor::<F32, Rank0>::scalar(rate);
}
