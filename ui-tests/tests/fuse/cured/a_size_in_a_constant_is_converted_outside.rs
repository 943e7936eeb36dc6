use supremum::{F32, Rank1, Tensor, fuse, tensor};

const WINDOW: usize = 512;

fn main() {
    let x: Tensor<F32, Rank1> = tensor![1.0, 2.0];
    let y = fuse!(x / &(WINDOW as f32));
}
