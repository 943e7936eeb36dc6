use supremum::{I32, Tensor, tensor};

fn main() {
    let halves: Tensor<I32> = tensor![1, 1];
}
