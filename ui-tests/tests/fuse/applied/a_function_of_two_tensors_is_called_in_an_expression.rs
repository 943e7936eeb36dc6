use supremum::{F32, Rank2, Tensor, fuse, tensor};

fn main() {
    let mut a: Tensor<F32, Rank2> = tensor![[1.0, 2.0]];
    let b: Tensor<F32, Rank2> = fuse!(a * 2.0);
    a.zip_mut_with(&b, |x, y| *x += y);
}
