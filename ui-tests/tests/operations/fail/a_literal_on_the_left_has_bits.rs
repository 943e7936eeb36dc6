use supremum::{F32, Tensor, tensor};

fn main() {
    let a: Tensor<F32> = tensor![1.0, 2.0];
    let odd = 1 & &a;
}
