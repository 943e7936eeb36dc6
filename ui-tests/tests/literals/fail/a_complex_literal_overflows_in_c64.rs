use supremum::{C64, Tensor, tensor};

fn main() {
    let limits: Tensor<C64> = tensor![1.0, 2.0 + 1e39i];
}
