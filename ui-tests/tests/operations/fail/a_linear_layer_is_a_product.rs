use supremum::prelude::*;

fn main() {
    let x: Tensor<F32, Rank2> = tensor![[1.0, 2.0]];
    let weights: Tensor<F32, Rank2> = tensor![[1.0, 0.5], [0.0, 1.0], [1.0, 1.0]];
    let bias: Tensor<F32, Rank1> = tensor![0.0, 1.0, 2.0];
    let y: Tensor<F32, Rank2> = x.linear(&weights, &bias);
}
