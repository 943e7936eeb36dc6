use supremum::{F32, Rank1, Tensor, tensor};

fn main() {
    let x: Tensor<F32, Rank1> = tensor![F32; 1.0, 2.0];
}
