use supremum::{F32, I8, OpenVino, Rank1, Tensor, U64, tensor};

fn main() {
    let a: Tensor<U64, Rank1, OpenVino> = tensor![200];
    let b: Tensor<I8, Rank1, OpenVino> = tensor![-100];
    let sum = a.cast::<F32>() + b.cast::<F32>();
}
