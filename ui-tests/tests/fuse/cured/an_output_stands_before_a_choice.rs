use supremum::{F32, Rank1, Tensor, fuse, tensor};

fn main() {
    let mut x: Tensor<F32, Rank1> = tensor![1.0, -2.0];
    fuse!(x = if x < 0.0 { 0.0 } else { x });
}
