use supremum::{F32, I32, Tensor, tensor};

fn main() {
    let a: Tensor<I32> = tensor![1, 2];
    let floats: Tensor<F32> = a.cast::<F32>();
}
