use supremum::prelude::*;

fn main() {
    let x: Tensor<F32, Rank2> = tensor![[1.0, 2.0]];
    let weights: Tensor<F32, Rank2> = tensor![[1.0, 0.5], [0.0, 1.0], [1.0, 1.0]];
    let bias: Tensor<F32, Rank1> = tensor![0.0, 1.0, 2.0];
    let y: Tensor<F32, Rank2> = x.matmul(&weights.transpose()) + &bias;
    assert_eq!(y.to_vec(), [2.0, 3.0, 5.0]);
    let ids: Tensor<I64, Rank1> = tensor![2];
    let y = weights.take(&ids, 0);
    assert_eq!(y.to_vec(), [1.0, 1.0]);
}
