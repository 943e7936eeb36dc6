use supremum::{F32, Rank1, Tensor, tensor};

fn main() {
    let x = tensor![f32; 1.0, 2.0];
    let y: Tensor<F32, Rank1> = tensor![f32; 1.0, 2.0];
}
