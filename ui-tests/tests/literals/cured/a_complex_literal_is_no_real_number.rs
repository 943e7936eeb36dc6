use supremum::{C64, Tensor, tensor};

fn main() {
    let phases: Tensor<C64> = tensor![1.0, 2.0 + 1.5i];
}
