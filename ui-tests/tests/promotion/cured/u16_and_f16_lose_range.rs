use supremum::{F16, Tensor, U16, tensor};

fn main() {
    let large: Tensor<U16> = tensor![65535];
    let small: Tensor<F16> = tensor![0.5];
    let sum = large.cast::<F16>() + small;
}
