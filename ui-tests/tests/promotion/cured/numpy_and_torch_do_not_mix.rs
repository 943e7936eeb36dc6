use supremum::{F32, Numpy, Rank1, Tensor, Torch, tensor};

fn main() {
    let a: Tensor<F32, Rank1, Numpy> = tensor![0.5];
    let b: Tensor<F32, Rank1, Torch> = tensor![0.5];
    let sum = a + b.with_rules::<Numpy>();
}
