use supremum::{F32, Rank2, Tensor, tensor};

fn main() {
    let a: Tensor<F32, Rank2> = tensor![[1.0, 2.0, 4.0], [3.0, 5.0, 4.0]];
    let covariance = a.cov(1);
}
