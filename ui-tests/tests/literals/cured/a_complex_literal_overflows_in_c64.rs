use supremum::{C128, Tensor, tensor};

fn main() {
    let limits: Tensor<C128> = tensor![1.0, 2.0 + 1e39i];
}
