use supremum::{F16, F32, Rank1, Tensor, tensor};

fn main() {
    let x: Tensor<F32, Rank1> = tensor![0.1, 65520.0];
    let half: Tensor<F16, Rank1> = x.cast::<F16>();
}
