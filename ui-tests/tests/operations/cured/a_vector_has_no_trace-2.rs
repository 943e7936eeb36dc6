use supremum::{F32, Rank1, Tensor, tensor};

fn main() {
    let vector: Tensor<F32, Rank1> = tensor![0.5, 1.5];
    let sum = vector.unsqueeze(0).trace(0);
}
