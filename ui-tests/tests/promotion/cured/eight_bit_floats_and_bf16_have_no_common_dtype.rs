use supremum::{BF16, F32, F8E4M3FN, Tensor, tensor};

fn main() {
    let a: Tensor<F8E4M3FN> = tensor![0.5];
    let b: Tensor<BF16> = tensor![0.5];
    let sum = &a.cast::<F32>() + &b.cast::<F32>();
}
