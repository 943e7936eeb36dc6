use supremum::{F32, Tensor, fuse, select, tensor};

fn main() {
    let x: Tensor<F32> = tensor![1.0, 0.0];
    let chosen = select(&x.not_equal(0), &x, 1.0);
}
