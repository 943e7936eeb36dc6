use supremum::{Tensor, U8, tensor};

fn main() {
    let levels: Tensor<U8> = tensor![[0, 255], [7, 300]];
}
