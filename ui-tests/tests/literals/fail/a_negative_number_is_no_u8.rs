use supremum::{Tensor, U8, tensor};

fn main() {
    let offsets: Tensor<U8> = tensor![1, 0, -1];
}
