use supremum::{Tensor, I64, tensor};

fn main() {
    let offsets: Tensor<I64> = tensor![1, 0, -1];
}
