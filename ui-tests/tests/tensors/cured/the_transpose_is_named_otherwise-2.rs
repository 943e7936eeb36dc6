use supremum::{F32, Rank2, Tensor, tensor};

fn main() {
    let weights: Tensor<F32, Rank2> = tensor![[1.0, 2.0]];
    let turned = weights.swap_axes(0, 1);
}
