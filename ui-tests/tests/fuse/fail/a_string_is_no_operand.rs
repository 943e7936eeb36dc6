use supremum::{F32, Tensor, fuse, tensor};

fn main() {
    let x: Tensor<F32> = tensor![1.5];
    let name = String::from("x");
    let y = fuse!(x + name);
}
