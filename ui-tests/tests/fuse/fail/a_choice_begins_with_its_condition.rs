use supremum::{F32, Tensor, fuse, tensor};

fn main() {
    let x: Tensor<F32> = tensor![1.5];
    let relu = fuse!(x if x > 0.0 else 0.0);
    let same = fuse!(2.0 * (x > 0.0 ? x : 0.0));
}
