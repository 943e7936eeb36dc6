use supremum::{F32, I64, Tensor, promote_unsafe, tensor};

fn main() {
    let counts: Tensor<I64> = tensor![3, 4];
    let weights: Tensor<F32> = tensor![0.5, 0.25];
    let weighted = promote_unsafe!(counts * weights + 1.0);
}
