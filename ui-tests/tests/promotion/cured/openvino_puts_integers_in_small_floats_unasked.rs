use supremum::{F16, I32, OpenVino, Rank1, Tensor, tensor};

fn main() {
    let a: Tensor<I32, Rank1, OpenVino> = tensor![200];
    let b: Tensor<F16, Rank1, OpenVino> = tensor![0.5];
    let sum = a.cast::<F16>() + b;
}
