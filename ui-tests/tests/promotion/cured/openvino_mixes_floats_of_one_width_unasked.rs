use supremum::{BF16, F16, F32, OpenVino, Rank1, Tensor, tensor};

fn main() {
    let a: Tensor<F16, Rank1, OpenVino> = tensor![0.5];
    let b: Tensor<BF16, Rank1, OpenVino> = tensor![0.5];
    let sum = a.cast::<F32>() + b.cast::<F32>();
}
