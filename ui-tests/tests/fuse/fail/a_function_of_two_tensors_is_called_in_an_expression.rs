//! A name of `fuse!` in other libraries. rustc would propose `zip_mut_with`.
use supremum::{F32, Rank2, Tensor, fuse, tensor};

fn main() {
    let a: Tensor<F32, Rank2> = tensor![[1.0, 2.0]];
    let b: Tensor<F32, Rank2> = fuse!(a * 2.0);
    let f = |x: f32, y: f32| x.powf(y);
    let c: Tensor<F32, Rank2> = a.zip_with(&b, f);
}
