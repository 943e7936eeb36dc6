use supremum::{F32, Rank1, Tensor, fuse, tensor};

fn main() {
    let x: Tensor<F32, Rank1> = tensor![-1.0, 2.0];
    let inside = fuse!((x > 1) & (x < 5));
    let difference = fuse!(x + x - x * x / (x % x));
}
