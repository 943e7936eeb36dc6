use supremum::{F32, Tensor, fuse, tensor};

fn main() {
    let x: Tensor<F32> = tensor![1.0, 0.0];
    let chosen = fuse!(if x != 0 { x } else { 1.0 });
}
