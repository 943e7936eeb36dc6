use supremum::{Rank1, Tensor, tensor};

fn main() {
    let x: Tensor<f32, Rank1> = tensor![1.0, 2.0];
}
