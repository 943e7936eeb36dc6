// `into` widens a dtype. It does not turn a matrix into a vector.
use supremum::{F32, Rank1, Rank2, Tensor, tensor};

fn main() {
    let matrix: Tensor<F32, Rank2> = tensor![[1.0, 2.0], [3.0, 4.0]];
    let vector: Tensor<F32, Rank1> = matrix.reshape([4]);
}
