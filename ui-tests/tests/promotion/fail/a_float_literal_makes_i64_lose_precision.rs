use supremum::{I64, Tensor, tensor};

fn main() {
    let counts: Tensor<I64> = tensor![1, 2, 3];
    let halves = counts * 0.5;
}
