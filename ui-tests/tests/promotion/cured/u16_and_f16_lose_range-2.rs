use supremum::{F16, Tensor, U16, promote_unsafe, tensor};

fn main() {
    let large: Tensor<U16> = tensor![65535];
    let small: Tensor<F16> = tensor![0.5];
    let sum = promote_unsafe!(large + small);
}
