use supremum::{F32, Rank1, Tensor, fuse, tensor};

fn main() {
    let x: Tensor<F32, Rank1> = tensor![0.0, 1.0];
    let (sines, cosines) = fuse!((x.sin(), x.cos()));
}
