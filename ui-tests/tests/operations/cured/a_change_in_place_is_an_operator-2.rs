use supremum::{F32, Rank2, Tensor, fuse, tensor};

fn main() {
    let mut x: Tensor<F32, Rank2> = tensor![[1.0, 2.0], [3.0, 4.0]];
    fuse!(x += x);
    fuse!(x = x + x);
}
