use supremum::{F64, Tensor, tensor};

fn main() {
    let large: Tensor<F64> = tensor![340282366920938463463374607431768211456.0];
}
