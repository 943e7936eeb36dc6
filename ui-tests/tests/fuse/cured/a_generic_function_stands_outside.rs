use supremum::{F32, Rank1, Tensor, fuse, tensor};

#[inline]
fn square<T: std::ops::Mul<Output = T> + Copy>(x: T) -> T {
    x * x
}

fn main() {
    let x: Tensor<F32, Rank1> = tensor![1.0, 2.0];
    let squares = fuse!(square(x));
}
