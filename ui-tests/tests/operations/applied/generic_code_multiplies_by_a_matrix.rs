use supremum::rank::MatrixProduct;
use supremum::{F32, Floating, Rank, Rank2, Tensor, tensor};

fn attention<D: Floating, N: Rank + MatrixProduct<N, Output = N>>(x: &Tensor<D, N>) -> Tensor<D, N> {
    x.matmul(x)
}

fn main() {
    let x: Tensor<F32, Rank2> = tensor![[2.0]];
    assert_eq!(attention(&x).to_vec(), [4.0]);
}
