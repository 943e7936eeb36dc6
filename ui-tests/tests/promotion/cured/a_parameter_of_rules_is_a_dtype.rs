use supremum::{F32, F64, OpenVino, Rank1, Tensor, tensor};

fn main() {
    let a: Tensor<F32, Rank1> = tensor![1.0];
    let b = a.with_rules::<OpenVino<F64>>();
}
