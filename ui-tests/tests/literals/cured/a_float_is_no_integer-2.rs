use supremum::{F32, Tensor, tensor};

fn main() {
    let halves: Tensor<F32> = tensor![1, 1.5];
}
