use supremum::{F32, Rank2, Tensor, tensor};

fn main() {
    let cholesky: Tensor<F32, Rank2> = tensor![[2.0, 0.0], [1.0, 3.0]];
    let determinant = cholesky.diag(0).prod();
}
