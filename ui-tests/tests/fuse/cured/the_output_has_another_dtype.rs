use supremum::{F16, F32, Tensor, fuse, tensor};

fn main() {
    let x: Tensor<F32> = tensor![1.5];
    let mut out: Tensor<F16> = tensor![0.0];
    fuse!(out = (x * 2).cast::<F16>());
}
