use supremum::{F32, Tensor, fuse, select, tensor};

fn main() {
    let x: Tensor<F32> = tensor![1.0, 0.0];
    let mask = x.gt(0);
    let chosen = select(&mask, &x, 0);
}
