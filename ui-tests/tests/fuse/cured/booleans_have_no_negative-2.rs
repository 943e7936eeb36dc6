use supremum::{F32, I32, Tensor, fuse, tensor};

fn main() {
    let x: Tensor<F32> = tensor![1.0, 0.0];
    let opposite = fuse!(-(x > 0.5).cast::<I32>());
}
