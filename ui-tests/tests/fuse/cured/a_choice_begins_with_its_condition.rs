use supremum::{F32, Tensor, fuse, tensor};

fn main() {
    let x: Tensor<F32> = tensor![1.5];
    let relu = fuse!(if x > 0.0 { x } else { 0.0 });
    let same = fuse!(2.0 * (if x > 0.0 { x } else { 0.0 }));
}
