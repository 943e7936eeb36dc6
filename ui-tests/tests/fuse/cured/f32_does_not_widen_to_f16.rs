use supremum::{F16, F32, Tensor, fuse, tensor};

fn main() {
    let x: Tensor<F32> = tensor![1.5];
    let y = fuse!(x.cast::<F16>());
}
