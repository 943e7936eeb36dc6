use supremum::{F32, Rank1, Tensor, fuse, tensor};

fn main() {
    let x: Tensor<F32, Rank1> = tensor![1.0];
    let n = x.len();
    let mean = fuse!(x / &(n as f32));
}
