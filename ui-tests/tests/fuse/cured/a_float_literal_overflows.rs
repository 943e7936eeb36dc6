use supremum::{F16, F64, Tensor, fuse, tensor};

fn main() {
    let x: Tensor<F16> = tensor![1.0];
    let scaled = fuse!(1e6 * x.cast::<F64>());
}
