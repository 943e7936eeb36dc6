use supremum::{F64, Tensor, tensor};

fn main() {
    let limits: Tensor<F64> = tensor![3.4e38, -1e39];
}
