use supremum::{F16, F32, Rank2, Tensor, tensor};
use supremum_pinned::scores;

fn main() {
    let inputs: Tensor<F16, Rank2> = tensor![[1.0, 2.0]];
    let weights: Tensor<F32, Rank2> = tensor![[1.0], [0.5]];
    let scores = scores(&inputs, &weights);
}
