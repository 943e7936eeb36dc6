use supremum::{F64, I64, Tensor, tensor};

fn main() {
    let counts: Tensor<I64> = tensor![1, 2, 3];
    let halves = counts.cast::<F64>() * 0.5;
}
