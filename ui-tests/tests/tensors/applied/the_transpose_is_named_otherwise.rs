use supremum::{F32, Rank3, Tensor, tensor};

fn main() {
    let weights: Tensor<F32, Rank3> = tensor![[[1.0, 2.0]]];
    let turned = weights.permute([0, 2, 1]);
}
