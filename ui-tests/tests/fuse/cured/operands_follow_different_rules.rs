use supremum::{F32, Numpy, Rank1, Tensor, Torch, fuse, tensor};

fn main() {
    let a: Tensor<F32, Rank1, Numpy> = tensor![1.0];
    let b: Tensor<F32, Rank1, Torch> = tensor![2.0];
    let sum = fuse!(a + b.with_rules::<Numpy>());
}
