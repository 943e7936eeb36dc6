use supremum::{F32, Rank1, Tensor, fuse, tensor};

fn main() {
    let x: Tensor<F32, Rank1> = tensor![1.0, 2.0];
    let lr = 0.1;
    let y: Tensor<F32, Rank1> = fuse!(x * lr);
}
