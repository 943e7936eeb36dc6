use supremum::{F32, Rank1, Tensor, tensor};

fn main() {
    let weights: Tensor<F32, Rank1> = tensor![0.25, 0.75];
    let large = weights.gt(0.5);
}
