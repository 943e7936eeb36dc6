use supremum::{F32, Rank1, Tensor, fuse, tensor};

fn main() {
    let a: Tensor<F32, Rank1> = tensor![1.0, 2.0];
    let b: Tensor<F32, Rank1> = tensor![3.0, 4.0];
    let sum = fuse!(a + b);
    let doubled = fuse!(a * 2.0);
}
