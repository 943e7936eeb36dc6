use supremum::{F32, Tensor, tensor};

fn main() {
    let limits: Tensor<F32> = tensor![3.4e38, -1e39];
}
