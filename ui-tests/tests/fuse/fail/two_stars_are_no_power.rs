use supremum::{F32, Rank1, Tensor, fuse, tensor};

fn main() {
    let x: Tensor<F32, Rank1> = tensor![0.5, -1.5];
    let squares = fuse!(x ** 2);
}
