use supremum::{I32, Numpy, Rank1, Tensor, Torch, U16, tensor};

fn main() {
    let a: Tensor<U16, Rank1, Torch> = tensor![1, 2];
    let b: Tensor<I32, Rank1, Torch> = tensor![3, 4];
    let sum = a.with_rules::<Numpy>() + b.with_rules::<Numpy>();
}
