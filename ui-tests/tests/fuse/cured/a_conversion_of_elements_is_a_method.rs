use supremum::{F32, I32, Rank1, Tensor, fuse, tensor};

fn main() {
    let counts: Tensor<I32, Rank1> = tensor![1, 2];
    let halves = fuse!(counts.cast::<F32>() / 2.0);
    let mean = fuse!(counts.sum().cast::<F32>() / counts.len() as f32);
}
