use supremum::{F32, Rank2, Tensor, tensor};

fn main() {
    let matrix: Tensor<F32, Rank2> = tensor![[1.0, 2.0], [3.0, 4.0]];
    let vector: Tensor<F32> = matrix.into_any();
}
