use supremum::{F32, Numpy, Rank2, Tensor, tensor};

fn main() {
    let matrix: Tensor<F32, Rank2> = tensor![[1.0, 2.0], [3.0, 4.0]];
    let other: Tensor<F32, Rank2, Numpy> = matrix.with_rules::<Numpy>();
}
