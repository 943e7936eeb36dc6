use supremum::{Tensor, I64, tensor};

fn main() {
    let levels: Tensor<I64> = tensor![[0, 255], [7, 300]];
}
