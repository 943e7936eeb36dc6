use supremum::{F32, Tensor, tensor};

fn main() {
    let a: Tensor<F32> = tensor![[1.0, 2.0], [3.0, 0], [4.0, 5.0]];
    let b: Tensor<F32> = tensor![1.0, 2.0];
    let c: Tensor<F32> = tensor![[1.0], [2.0]];
}
